/** Kinds of secrets and what they look like. */
export const secretKinds: readonly (readonly [string, RegExp])[] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----\s*(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=\r\n]{4,}\s*-----END )/g,
  ],
  ['AWS access key', /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/g],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/g],
  ['Slack webhook', /hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,}/g],
  ['Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['Google API key', /\bAIza[A-Za-z0-9_-]{35}/g],
  [
    'OpenAI or Anthropic key',
    /\bsk-(?:[A-Za-z0-9]{32,}\b|(?:proj|svcacct|admin|ant-[a-z0-9]+)-[A-Za-z0-9_-]{32,})/g,
  ],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI token', /\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20,}/g],
  ['SendGrid key', /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{34}\b/g],
  ['Shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g],
  ['Lectern API key', /\blk_[A-Za-z0-9]{10}_[A-Za-z0-9_-]{43}/g],
  // The header is short; without a limit, a text of many beginnings would take the square of its length.
  ['JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,500}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}/g],
  ['DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
];

/** How every secret begins: one look at most articles is enough. */
export const secretBeginning =
  /-----BEGIN |hooks\.slack\.com|\b(?:A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_live_|AIza|sk-|npm_|pypi-|SG\.|hf_|lk_|eyJ|shp(?:at|ca|pa|ss)_|do[opr]_v1_)/;
