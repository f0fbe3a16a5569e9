/** A rule for text that reads like an instruction to a language model. */
export interface InjectionRule {
  readonly rule: string;
  readonly severity: 'high' | 'medium';
  readonly pattern: RegExp;
  /** Source of a fast pattern that matches (ignoring case) in every text the rule matches; `null` if the rule itself is fast. */
  readonly stem: string | null;
}

/** Orders count only at the start of a line or sentence: help articles often explain how to ignore settings. */
const start = String.raw`(?:^|[.!?:;。！？]["'”’)]?\s*|["'“‘(]|(?:^|[.!?]\s+)(?:please|now|important)[,:]?\s+)`;
const order = (...patterns: readonly string[]) => new RegExp(`${start}(?:${patterns.join('|')})`, 'gimu');
const raw = String.raw;

/** Names of AI programs in several languages. */
const aiWords = raw`(?:ai|llms?|(?:large )?language models?|chatbots?)(?![\p{L}\p{N}])`;

/** All rules, in the order their flags are listed. Measured by `test/feed/injections.test.ts`. */
export const injectionRules: readonly InjectionRule[] = [
  {
    rule: 'chat-template',
    severity: 'high',
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)>|^#{2,4} (?:System|Instruction|Assistant):|^SYSTEM PROMPT:/gm,
    stem: null,
  },
  {
    rule: 'override-instructions',
    severity: 'high',
    pattern: order(
      raw`(?:please\s+)?(?:ignore|disregard|forget)\s+(?:(?:all|any|every|the|your|of|these|those|my)\s+){0,3}(?:previous|prior|above|earlier|preceding|foregoing|original|system)\s+(?:instruction|prompt|rule|guideline|direction|directive)s?`,
      raw`(?:please\s+)?(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:above|before|you (?:were|have been) told)`,
      raw`(?:override|bypass)\s+(?:(?:your|these|those|all)\s+)+(?:(?:previous|existing|original|system|safety)\s+){0,2}(?:instruction|prompt|rule|guideline)s?`,
      raw`(?:you (?:must|should|will) )?(?:ignore|stop following)\s+your\s+(?:training|programming|instructions|guidelines|rules)`,
      raw`(?:ignorier(?:e|en sie|t)|vergiss|vergessen sie)\s+(?:(?:alle|sämtliche|die|deine|ihre)\s+){0,2}(?:vorherigen|vorigen|bisherigen|obigen|früheren|vorangegangenen)\s+(?:anweisung|regel|befehl|instruktion|vorgabe)\p{L}*`,
      raw`(?:vergiss|vergessen sie)\s+alles,?\s+was\s+(?:dir|ihnen|man|du|sie|bisher)`,
      raw`(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?les\s+(?:instructions|consignes|règles)\s+(?:précédentes|antérieures|ci-dessus)`,
      raw`oublie[zr]?\s+tout\s+ce\s+qu`,
      raw`(?:ignor[ae]|olvid[ae])\s+(?:todas\s+)?las\s+(?:instrucciones|reglas|órdenes)\s+(?:anteriores|previas)`,
      raw`olvid[ae]\s+todo\s+lo\s+que\s+(?:te|le|se)`,
      raw`(?:ignore|esqueça)\s+(?:todas\s+)?as\s+(?:instruções|regras)\s+(?:anteriores|acima)`,
      raw`esqueça\s+tudo\s+o\s+que`,
      raw`(?:ignora|dimentica)\s+(?:tutte\s+)?le\s+(?:istruzioni|regole)\s+precedenti`,
      raw`dimentica\s+tutto\s+(?:quello|ciò)\s+che`,
      raw`(?:negeer|vergeet)\s+(?:alle|de)\s+(?:vorige|eerdere|voorgaande|bovenstaande)\s+(?:instructies|regels|opdrachten)`,
      raw`vergeet\s+alles\s+wat`,
      raw`(?:zignoruj|zapomnij\s+o)\s+wszystki\p{L}+\s+(?:poprzedni|wcześniejsz|powyższ)\p{L}+\s+(?:instrukcj|polece|zasad|regu)\p{L}+`,
      raw`önceki\s+(?:tüm\s+|bütün\s+)?(?:talimat|kural|komut|yönerge)\p{L}*\s+(?:yok\s+say|unut|göz\s+ardı\s+et|dikkate\s+alma)`,
      raw`(?:игнорируй(?:те)?|забудь(?:те)?)\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания|правила)`,
      raw`забудь(?:те)?\s+вс[её],?\s+что`,
      '(?:请)?(?:忽略|无视|忘记|忘掉)(?:你)?(?:之前|以上|上面|先前|前面)的?(?:所有|全部)?的?(?:指令|指示|说明|提示|规则)',
      '(?:以前|上記|これまで|前)の(?:すべての|全ての)?(?:指示|命令|ルール)(?:を|は)(?:すべて|全て)?(?:無視|忘れ)',
      raw`(?:이전|위|앞)의?\s*(?:모든\s*)?(?:지시|명령|지침|규칙)(?:사항)?[을를은는]?\s*(?:모두\s*)?(?:무시|잊)`,
      raw`تجاهل\s+(?:جميع\s+|كل\s+)?التعليمات\s+السابقة`,
    ),
    stem: 'ignor|disregard|forget|override|bypass|stop following|vergiss|vergessen|oublie|olvid|esqueça|dimentica|negeer|vergeet|zapomnij|önceki|игнорируй|забудь|忽略|无视|忘|無視|무시|잊|تجاهل',
  },
  {
    rule: 'assume-role',
    severity: 'medium',
    pattern: order(
      raw`(?:you are now|from now on,? you (?:are|act as)|act as|pretend (?:to be|you are))\s+(?:an?\s+|the\s+)?(?:(?:unrestricted|unfiltered|jailbroken|different|evil|helpful)\s+)?(?:(?:ai|assistant|chatbot|bot|language model|model|dan|developer mode)\b|system(?=\s*(?:[.!?,;:]|$)))`,
      raw`(?:du bist|sie sind)\s+(?:jetzt|nun|ab jetzt)\s+eine?\s+(?:\p{L}+\s+)?(?:assistent|ki|chatbot|sprachmodell)`,
      raw`(?:tu es|vous êtes)\s+(?:maintenant|désormais)\s+une?\s+(?:assistant|ia|chatbot|modèle)(?!\p{L})`,
      raw`ahora\s+(?:eres|es)\s+una?\s+(?:asistente|ia|chatbot|modelo)(?!\p{L})`,
      raw`теперь\s+ты\s+(?:\p{L}+\s+)?(?:ассистент|чат-?бот|языковая\s+модель)`,
      '你现在是.{0,10}(?:助手|机器人|模型)',
    ),
    stem: 'you are now|from now on|act as|pretend|du bist|sie sind|tu es|vous êtes|ahora|теперь|你现在是',
  },
  {
    rule: 'addressed-to-ai',
    severity: 'medium',
    pattern: order(
      raw`(?:if|when)\s+you(?:'re|\s+are)\s+(?:an?\s+)?${aiWords}`,
      raw`as\s+an?\s+${aiWords}(?:\s+\p{L}+)?,?\s+you\s+(?:must|should|will)\b`,
      raw`(?:note|attention|message|dear|instructions?)\s+(?:(?:to|for)\s+)?(?:the\s+|all\s+|any\s+)?${aiWords}(?:\s+\p{L}+)?\s*[:,]`,
      raw`(?:${aiWords})\s+(?:\p{L}+\s+){0,4}?(?:must|should)\s+(?!be\b)`,
      raw`hinweis(?:e)?\s+(?:an|für)\s+(?:alle\s+)?(?:ki|sprachmodelle|chatbots)\P{L}?\p{L}*\s*:`,
      raw`wenn\s+(?:du|sie)\s+eine?\s+(?:ki(?!\p{L})|sprachmodell|chatbot)`,
      raw`note\s+(?:aux|pour\s+les)\s+(?:assistants\s+ia|ia(?!\p{L})|modèles\s+de\s+langage|chatbots)\s*:`,
      raw`si\s+(?:vous\s+êtes|tu\s+es)\s+une?\s+(?:assistant\s+ia|ia(?!\p{L})|modèle\s+de\s+langage|intelligence\s+artificielle|chatbot)`,
      raw`nota\s+para\s+(?:los\s+|as?\s+|os\s+)?(?:asistentes\s+de\s+ia|assistentes\s+de\s+ia|ia(?!\p{L})|modelos\s+de\s+lengua|chatbots)`,
      raw`si\s+(?:eres|usted\s+es|es)\s+una?\s+(?:asistente\s+de\s+ia|ia(?!\p{L})|modelo\s+de\s+lenguaje|inteligencia\s+artificial|chatbot)`,
      raw`se\s+(?:você\s+é|tu\s+és)\s+uma?\s+(?:ia(?!\p{L})|modelo\s+de\s+linguagem|inteligência\s+artificial|chatbot)`,
      raw`se\s+sei\s+un[a']?\s*(?:ia(?!\p{L})|modello\s+linguistico|intelligenza\s+artificiale|chatbot)`,
      raw`als\s+(?:je|u)\s+een\s+(?:ai(?!\p{L})|taalmodel|chatbot)`,
      raw`jeśli\s+jesteś\s+(?:ai(?!\p{L})|modelem\s+językowym|sztuczną\s+inteligencją|chatbotem)`,
      raw`eğer\s+bir\s+(?:yapay\s+zeka|dil\s+modeli)`,
      raw`если\s+(?:ты|вы)\s+(?:языковая\s+модель|ии(?!\p{L})|искусственный\s+интеллект|чат-?бот)`,
      '如果你是.{0,6}(?:人工智能|语言模型|聊天机器人|AI)',
      '(?:あなた|君)が(?:AI|人工知能|言語モデル|チャットボット)',
      raw`당신이\s*(?:AI|인공지능|언어\s*모델|챗봇)`,
      raw`إذا\s+كنت\s+نموذج`,
    ),
    stem: raw`\b(?:ai|ia|llms?|ki)\b|language model|chatbot|sprachmodell|modèle|intelligence|modelo|inteligencia|inteligência|modello|intelligenza|taalmodel|model|sztuczną|yapay|языковая|ии|искусственный|чат|如果你是|AI|人工知能|言語モデル|チャットボット|인공지능|언어|챗봇|نموذج`,
  },
  {
    rule: 'new-instructions',
    severity: 'medium',
    pattern: order(
      raw`new\s+instructions\s*:\s+(?!see\b|read\b)\p{L}`,
      raw`your\s+new\s+(?:task|role|goal|job|purpose)\s+is\b`,
      raw`from\s+now\s+on,?\s+(?:you\s+)?(?:answer|reply|respond|speak|obey|behave)\b`,
      raw`neue\s+(?:anweisung|instruktion)(?:en)?\s*:`,
      raw`ab\s+(?:jetzt|sofort)\s+(?:antworte\p{L}*|sprich)(?!\p{L})`,
      raw`nouvelles\s+(?:instructions|consignes)\s*:`,
      raw`à\s+partir\s+de\s+maintenant,?\s+(?:tu\s+|vous\s+)?répond`,
      raw`nuevas\s+instrucciones\s*:`,
      raw`a\s+partir\s+de\s+ahora,?\s+(?:responde|contesta)(?!\p{L})`,
      raw`novas\s+instruções\s*:`,
      raw`a\s+partir\s+de\s+agora,?\s+(?:responda|responde)(?!\p{L})`,
      raw`nuove\s+istruzioni\s*:`,
      raw`d['’]ora\s+in\s+poi,?\s+rispondi`,
      raw`vanaf\s+nu\s+antwoord`,
      raw`bundan\s+sonra\s[^.\n]{0,60}(?:cevap|yanıt)\s*ver`,
      raw`новые\s+инструкции\s*:`,
      raw`(?:с\s+этого\s+момента|отныне),?\s+(?:ты\s+)?отвеча`,
      '从现在(?:开始|起).{0,6}(?:回答|回复)',
      '新(?:的)?指令[:：]',
      'これから(?:は)?.{0,30}(?:答えて|回答し)',
      '지금부터(?:는)?.{0,30}(?:대답|답변)',
    ),
    stem: 'new instructions|your new|from now on|neue|ab jetzt|ab sofort|nouvelles|maintenant|nuevas|a partir de|novas|nuove|ora in poi|vanaf nu|bundan sonra|новые|с этого|отныне|从现在|新|これから|지금부터',
  },
  {
    rule: 'reveal-prompt',
    severity: 'medium',
    pattern: order(
      raw`(?:reveal|print|repeat|output|show|display|tell\s+me)\s+(?:me\s+)?(?:your\s+(?:(?:system|initial|hidden|original)\s+)?(?:prompt|instructions)|the\s+(?:system\s+prompt|hidden\s+(?:prompt|instructions)))`,
      raw`(?:gib|zeig\p{L}*|nenn\p{L}*|verrat\p{L}*)\s+(?:mir\s+)?(?:deinen|ihren|den)\s+system-?\s?prompt`,
      raw`(?:révèle|affiche|montre|donne)[zr]?(?:[- ]moi)?\s+(?:ton|votre|le)\s+prompt`,
      raw`(?:revela|muestra|dime)\s+(?:tu|su|el)\s+prompt`,
      raw`(?:revele|mostre|exiba)\s+(?:o\s+)?(?:seu\s+|teu\s+)?prompt`,
      raw`(?:rivela|mostra)\s+(?:il\s+)?(?:tuo\s+|suo\s+)?prompt`,
      raw`(?:покажи|раскрой|выведи)(?:те)?\s+(?:свой\s+|твой\s+|ваш\s+)?(?:системный\s+)?промпт`,
      '(?:请)?(?:输出|显示|透露|告诉我)(?:你的)?(?:系统)?提示词',
      'システムプロンプトを(?:表示|出力|教え|見せ)',
    ),
    stem: 'prompt|instructions|промпт|提示词|プロンプト',
  },
  {
    rule: 'hide-from-user',
    severity: 'medium',
    pattern: order(
      raw`(?:do not|don't|never)\s+(?:tell|inform)\s+the\s+(?:user|customer|reader)s?(?:\s+(?:that\s+you|about\s+(?:this|these)|you)\b|(?=\s*(?:[.!?;]|$)))`,
      raw`(?:do not|don't|never)\s+(?:tell|mention|reveal|show)\s+(?:this|these)\s+(?:\p{L}+\s+){0,2}?(?:to\s+)?the\s+(?:user|customer|reader)(?!\s+service)`,
      raw`sag(?:en\s+sie)?\s+(?:dem|der|den)\s+(?:nutzer|benutzer|kunde)\p{L}*\s+nicht,?\s+dass\s+(?:du|sie)`,
      raw`ne\s+(?:dis|dites)\s+pas\s+(?:à\s+l['’]|aux?\s+)(?:utilisateur|client)s?\s+que\s+(?:tu|vous)`,
      raw`no\s+(?:le\s+)?diga[ns]?\s+al\s+(?:usuario|cliente)\s+que\s+(?:has|ha)`,
    ),
    stem: raw`(?:do not|don't|never)\s+(?:tell|inform|mention|reveal|show)|sag|ne\s+dis|ne\s+dites|diga`,
  },
  {
    rule: 'steer-answer',
    severity: 'medium',
    pattern: order(
      raw`when(?:ever)?\s+you\s+(?:summari[sz]e|quote|answer\s+from)\s+this\s+(?:page|article|document|text)`,
      raw`(?:\p{L}+,?\s+){0,5}(?:include|insert|append|embed)\s[^.\n]{0,60}\bin\s+(?:your|every|each)\s+(?:answer|response|reply)\b`,
    ),
    stem: raw`summari[sz]e|quote|answer|response|reply`,
  },
];

/**
 * Text that reads like an instruction to a language model. It is published unchanged; the flag lets a consumer decide.
 */
export interface InjectionFlag {
  readonly rule: string;
  readonly severity: InjectionRule['severity'];
  /** The matched words, shortened. */
  readonly excerpt: string;
}

const maxFlags = 20;
const excerptChars = 80;

/** Rules by stem: searching for the stem first is much faster. */
const rulesByStem = injectionRules.map((rule) => ({
  rule,
  stem: rule.stem === null ? null : new RegExp(rule.stem, 'iu'),
}));

/**
 * Flags text that looks like an injection: chat-template tokens anywhere, instructions at the start of a line or
 * sentence.
 */
export function flagInjections(published: string): readonly InjectionFlag[] {
  const revealed = revealWords(published);
  const flags = rulesByStem.flatMap(({ rule: { rule, severity, pattern }, stem }) => {
    const find = (text: string) => (stem !== null && !stem.test(text) ? [] : [...text.matchAll(pattern)]);
    const found = find(published);
    // Search the original text first: adjacent words of two scripts look like one word with lookalike letters.
    const matches = found.length > 0 || revealed === published ? found : find(revealed);
    return matches.map(([words]) => ({
      rule,
      severity,
      excerpt: words.replace(/^[\s.!?:;。！？"'”’“‘()]+/u, '').slice(0, excerptChars),
    }));
  });
  return flags.slice(0, maxFlags);
}

/** Latin letters by the Cyrillic and Greek letters that look like them. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('аеорсухіјѕԁһοανρτι', (letter, at) => [letter, 'aeopcyxijsdhoavpti'.charAt(at)]),
);

/** Rewrites words with lookalike letters, and words with spaced-out letters, as a reader sees them. */
function revealWords(text: string): string {
  const latin = /[\u0370-\u04ff\u0500-\u052f]/.test(text)
    ? text.replaceAll(/[\p{L}]+/gu, (word) =>
        /[a-z]/i.test(word) && /[\u0370-\u052f]/.test(word)
          ? Array.from(word, (letter) => lookalikes[letter] ?? letter).join('')
          : word,
      )
    : text;
  return latin.replaceAll(
    /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}])){3,}(?: {2,}\p{L}(?: \p{L}(?![\p{L}\p{N}]))+)*/gu,
    (spaced) => spaced.replaceAll(/ (?! )(?<! {2})/g, '').replaceAll(/ {2,}/g, ' '),
  );
}
