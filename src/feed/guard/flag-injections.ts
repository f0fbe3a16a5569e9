/** A rule for text that reads like an instruction to a language model. */
interface InjectionRule {
  readonly rule: string;
  readonly severity: 'high' | 'medium';
  readonly pattern: RegExp;
  /**
   * Source of a fast pattern that matches (ignoring case) in every text the rule matches, and in few others: the rarest words of each
   * alternative of `pattern`. `null` if the rule itself is fast.
   */
  readonly stem: string | null;
}

/** Orders count only at the start of a line or sentence: help articles often explain how to ignore settings. */
const start = String.raw`(?:^|[.!?:;。！？]["'”’)]?\s*|["'“‘(]|(?:^|[.!?]\s+)(?:please|now|important)[,:]?\s+)(?=\p{L})`;
const order = (...patterns: readonly string[]) => new RegExp(`${start}(?:${patterns.join('|')})`, 'gimu');
const raw = String.raw;

/** What is ordered ends here: “forget your rules.” is an attack, “forget your rules for mail” is not. */
const endOfOrder = raw`(?=\s*(?:[.!,;]|$)|\s+(?:and|for\s+this|et|y|i)\s)`;

/** Names of AI programs in several languages. */
const aiWords = raw`(?:ai|llms?|(?:large )?language models?|chatbots?)(?![\p{L}\p{N}])`;

/** All rules, in the order their flags are listed. Measured by `test/feed/injections.test.ts`. */
export const injectionRules: readonly InjectionRule[] = [
  {
    rule: 'chat-template',
    severity: 'high',
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant)>|^#{2,4} (?:System|Instruction|Assistant):|^SYSTEM PROMPT:|^\[(?:system|assistant)\] +(?:(?:[Ii]gnore|[Oo]verride|[Dd]isregard) (?:all|your|previous|safety) |[Yy]ou (?:are now|must|will) )|^Human:[^\n]{0,500}?\bAssistant:|^Assistant: (?:(?:Sure|Of course|Understood), here (?:is|are) |I have been authori[sz]ed )|<(?:instructions|system[-_]prompt)>[^<\n]*\b(?:always|never|ignore|answer|reply)\b/gmu,
    stem: null,
  },
  {
    rule: 'override-instructions',
    severity: 'high',
    pattern: order(
      raw`(?:(?:please|kindly)\s+)?(?:ignore|disregard|forget)\s+(?:(?:all|any|every|the|your|of|these|those|my)\s+){0,3}(?:previous|prior|above|earlier|preceding|foregoing|original|system)\s+(?:instruction|prompt|rule|guideline|direction|directive)s?`,
      raw`(?:please\s+)?(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:above|before|you (?:were|have been) told)`,
      raw`(?:override|bypass)\s+(?:all\s+(?:of\s+)?)?(?:your\s+|(?:these|those)\s+(?=existing|previous))(?:(?:previous|existing|original|system|safety)\s+){0,2}(?:instruction|prompt|guideline)s?`,
      raw`(?:override|bypass)\s+(?:all\s+(?:of\s+)?)?your\s+safety\s+(?:rules|policy|policies)`,
      raw`(?:override|bypass)\s+all\s+(?:previous|prior|original)\s+instructions`,
      raw`(?:you (?:must|should|will) )?(?:ignore|stop following|forget|disregard|abandon|set\s+aside)\s+your\s+(?:training|programming|instructions|guidelines|rules|prompt)${endOfOrder}`,
      raw`(?:ignore|disregard|forget)\s+(?:what|whatever|everything)\s+(?:(?:the|your)\s+)?(?:operator|developer|system|user)s?\s+(?:told|asked|said\s+to)\s+you(?!\p{L})`,
      raw`all\s+(?:prior|previous|earlier)\s+instructions\s+are\s+(?:now\s+)?(?:void|revoked)${endOfOrder}`,
      raw`the\s+instructions\s+(?:that\s+)?you\s+(?:received|were given|got)\s+(?:before\s+this\s+(?:page|text|article)|from\s+(?:the|your)\s+(?:operator|developer))\s+(?:no longer apply|are (?:void|cancelled|obsolete))`,
      raw`do\s+not\s+(?:follow|obey)\s+(?:the\s+instructions\s+of\s+(?:the|your)\s+(?:user|operator|developer)|your\s+(?:instructions|guidelines|rules))${endOfOrder}`,
      raw`(?:ignorier(?:e|en sie)|missachte(?:n sie)?)\s+(?:alles,?\s+was\s+(?:man\s+)?(?:dir|ihnen)\s[^.\n]{0,25}?(?:gesagt|aufgetragen)|(?:(?:alle|sämtliche|die|deine|ihre)\s+){0,2}(?:vorherigen|bisherigen|obigen|früheren)\s+(?:anweisung|vorgabe|instruktion)\p{L}*)`,
      raw`(?:ne\s+(?:tiens|tenez)\s+(?:pas|plus)\s+compte|(?:fais|faites)\s+abstraction)\s+des\s+(?:instructions|consignes|règles)\s+(?:précédentes|antérieures|ci-dessus)`,
      raw`oublie[zr]?\s+(?:tes|vos)\s+(?:instructions|consignes|règles)${endOfOrder}`,
      raw`(?:no\s+hagas?\s+caso\s+(?:de|a)|haz\s+caso\s+omiso\s+de|descarta)\s+(?:todas\s+)?las\s+(?:instrucciones|reglas)\s+(?:anteriores|previas)`,
      raw`olvida\s+tus\s+(?:reglas|instrucciones|directrices)${endOfOrder}`,
      raw`(?:desconsidere|não\s+considere|não\s+siga)\s+(?:todas\s+)?as\s+(?:instruções|regras)\s+(?:anteriores|acima)`,
      raw`non\s+(?:considerare|seguire|tenere\s+conto\s+di)\s+(?:le\s+)?(?:istruzioni|regole)\s+precedenti`,
      raw`(?:zignoruj|zapomnij\s+o)\s+(?:poprzedni|wcześniejsz|powyższ)\p{L}+\s+(?:instrukcj|polece)\p{L}+${endOfOrder}`,
      raw`önceki\s+(?:tüm\s+|bütün\s+)?(?:talimat|komut|yönerge)\p{L}*\s+(?:görmezden|önemseme)`,
      raw`не\s+обращай(?:те)?\s+внимания\s+на\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания|правила)`,
      raw`(?:请)?(?:不要|别|不必)(?:再)?(?:理会|遵守|遵循)(?:你)?(?:之前|以上|上面|先前|前面)的?(?:所有|全部)?的?(?:指令|指示|说明|提示|规则)`,
      raw`(?:이전에|앞서)\s*받은\s*(?:모든\s*)?(?:지시|명령|지침)(?:사항)?[을를]?\s*(?:모두\s*)?(?:무시|잊)`,
      raw`تجاهل\s+كل\s+ما\s+قيل\s+لك`,
      raw`(?:ignorier(?:e|en sie|t)|vergiss|vergessen sie)\s+(?:(?:alle|sämtliche|die|deine|ihre)\s+){0,2}(?:vorherigen|vorigen|bisherigen|obigen|früheren|vorangegangenen)\s+(?:anweisung|regel|befehl|instruktion|vorgabe)\p{L}*`,
      raw`(?:vergiss|vergessen sie)\s+alles,?\s+was\s+(?:man\s+)?(?:dir|ihnen)\s[^.\n]{0,25}?(?:gesagt|aufgetragen)`,
      raw`(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?les\s+(?:instructions|consignes|règles)\s+(?:précédentes|antérieures|ci-dessus)`,
      raw`oublie[zr]?\s+tout\s+ce\s+(?:qui\s+(?:t['’]|vous\s+)a\s+été\s+dit|qu['’]on\s+(?:t['’]|vous\s+)a\s+dit)`,
      raw`(?:ignor[ae]|olvid[ae])\s+(?:todas\s+)?las\s+(?:instrucciones|reglas|órdenes)\s+(?:anteriores|previas)`,
      raw`olvid[ae]\s+todo\s+lo\s+que\s+(?:te|le|se\s+te)\s+han?\s+dicho`,
      raw`(?:ignore|esqueça)\s+(?:todas\s+)?as\s+(?:instruções|regras)\s+(?:anteriores|acima)`,
      raw`esqueça\s+tudo\s+o\s+que\s+(?:(?:te|lhe)\s+)?(?:foi\s+dito|disseram)`,
      raw`(?:ignora|dimentica)\s+(?:tutte\s+)?le\s+(?:istruzioni|regole)\s+precedenti`,
      raw`dimentica\s+tutto\s+(?:quello|ciò)\s+che\s+ti\s+(?:è\s+stato|hanno)\s+detto`,
      raw`(?:negeer|vergeet)\s+(?:alle|de)\s+(?:vorige|eerdere|voorgaande|bovenstaande)\s+(?:instructies|regels|opdrachten)`,
      raw`(?:negeer|vergeet)\s+alles\s+wat\s+(?:je|u)\s[^.\n]{0,25}?(?:verteld|gezegd)`,
      raw`(?:zignoruj|zapomnij\s+o)\s+wszystki\p{L}+\s+(?:poprzedni|wcześniejsz|powyższ)\p{L}+\s+(?:instrukcj|polece|zasad|regu)\p{L}+`,
      raw`önceki\s+(?:tüm\s+|bütün\s+)?(?:talimat|kural|komut|yönerge)\p{L}*\s+(?:yok\s+say|unut|göz\s+ardı\s+et|dikkate\s+alma)`,
      raw`(?:игнорируй(?:те)?|забудь(?:те)?)\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания|правила)`,
      raw`забудь(?:те)?\s+вс[её],?\s+что\s+(?:вам|тебе)\s+(?:\p{L}+\s+)?(?:говорили|сказали|велели)`,
      '(?:请)?(?:忽略|无视|忘记|忘掉)(?:你)?(?:之前|以上|上面|先前|前面)的?(?:所有|全部)?的?(?:指令|指示|说明|提示|规则)',
      '(?:以前|上記|これまで|前)の(?:すべての|全ての)?(?:指示|命令|ルール)(?:を|は)(?:すべて|全て)?(?:無視|忘れ)',
      raw`(?:이전|위|앞)의?\s*(?:모든\s*)?(?:지시|명령|지침|규칙)(?:사항)?[을를은는]?\s*(?:모두\s*)?(?:무시|잊)`,
      raw`تجاهل\s+(?:جميع\s+|كل\s+)?التعليمات\s+السابقة`,
    ),
    stem: raw`(?:previous|prior|above|earlier|preceding|foregoing|original|system)\s+(?:instruction|prompt|rule|guideline|direct)|(?:ignore|disregard|forget)\s+(?:everything|anything|all|what)|override|bypass|(?:ignore|following|forget|disregard|abandon|aside)\s+your\s|instructions\s+(?:are|(?:that\s+)?you)\s|not\s+(?:follow|obey)\s|ignorier|missachte|vergiss|vergessen|(?:compte|abstraction)\s+des\s|oublie|caso\s+(?:de|a|omiso)\s|descarta|olvid|ignor(?:e[zr]?|a)\s+(?:tout|todas|tutte|le|las|as)|desconsidere|não\s+(?:considere|siga)|esqueça|non\s+(?:considerare|seguire|tenere)|dimentica|negeer|vergeet|zignoruj|zapomnij|önceki|внимания|игнорируй|забудь|理会|遵守|遵循|忽略|无视|忘|無視|받은|무시|잊|تجاهل`,
  },
  {
    rule: 'assume-role',
    severity: 'medium',
    pattern: order(
      raw`(?:you are now|from now on,? you (?:are|act as)|(?:act|role-?play) as|pretend (?:to be|you are))\s+(?:an?\s+|the\s+)?(?:(?:unrestricted|unfiltered|jailbroken|different|evil|helpful)\s+)?(?:(?:ai|assistant|chatbot|bot|language model|model|dan|developer mode)\b|system(?=\s*(?:[.!?,;:]|$)))`,
      raw`(?:du bist|sie sind)\s+(?:jetzt|nun|ab jetzt)\s+eine?\s+(?:\p{L}+\s+)?(?:assistent|ki|chatbot|sprachmodell)`,
      raw`(?:you are|you will|you have been|you act|you have been|act|play as|behave|from\s+(?:now|this\s+point)\s+(?:on|forward),?\s+you)\s[^.\n]{0,40}?\b(?:unrestricted|unfiltered|uncensored)\s+(?:assistant|ai|chatbot|bot|model)\b`,
      raw`you are now (?:in\s+)?(?:an?\s+)?(?:assistant|ai|chatbot|bot|developer mode)\s+(?:and\s+have\s+no|with\s+no|without(?:\s+any)?)\s+(?:restrictions|filters)\b`,
      raw`stop\s+being\s+an?\s+(?:\p{L}+\s+){0,2}(?:assistant|chatbot|bot|ai)\b`,
      raw`(?:ab\s+(?:sofort|jetzt)|von\s+nun\s+an)\s+(?:bist\s+du|sind\s+sie)\s+eine?\s+(?:\p{L}+\s+)?(?:assistent|ki|chatbot|sprachmodell)`,
      raw`a\s+partir\s+de\s+(?:ahora|este\s+momento),?\s+eres\s+una?\s+(?:asistente|ia|chatbot|modelo)(?!\p{L})`,
      raw`você\s+(?:agora\s+é|é\s+agora)\s+uma?\s+(?:assistente|ia|chatbot|modelo)(?!\p{L})`,
      raw`(?:ora|adesso)\s+sei\s+un[a']?\s*(?:assistente|ia|chatbot|modello)(?!\p{L})`,
      raw`je\s+bent\s+(?:nu|vanaf\s+nu)\s+een\s+(?:\p{L}+\s+)?(?:assistent|chatbot|taalmodel)(?!\p{L})`,
      raw`теперь\s+(?:ты|вы)\s+(?:\p{L}+\s+)?(?:помощник|ассистент|бот)`,
      raw`(?:od\s+teraz\s+jesteś|jesteś\s+teraz)\s+(?:\p{L}+\s+)?(?:asystentem|chatbotem|modelem)`,
      raw`(?:artık|şimdi|bundan\s+sonra)\s[^.\n]{0,40}?(?:asistan|yapay\s+zeka|bot)s[ıi]n`,
      raw`(?:从现在(?:起|开始)|现在)[，,]?你(?:就)?是(?!否).{0,12}(?:助手|机器人|模型)`,
      raw`(?:(?:今から|これから)、?あなたは|あなたは今から?).{0,15}(?:アシスタント|ボット|モデル)(?:です|として)`,
      raw`(?:이제부터|지금부터|이제)\s*(?:당신|너)[은는]\s*.{0,15}(?:어시스턴트|비서|챗봇|인공지능)`,
      raw`أنت\s+الآن\s+(?:مساعد|روبوت|نموذج)`,
      raw`(?:tu es|vous êtes)\s+(?:maintenant|désormais)\s+une?\s+(?:assistant|ia|chatbot|modèle)(?!\p{L})`,
      raw`ahora\s+(?:eres|es)\s+una?\s+(?:asistente|ia|chatbot|modelo)(?!\p{L})`,
      raw`теперь\s+ты\s+(?:\p{L}+\s+)?(?:ассистент|чат-?бот|языковая\s+модель)`,
      '你现在是(?!否).{0,10}(?:助手|机器人|模型)',
    ),
    stem: raw`you are now|from now on|act as|play as|pretend|unrestricted|unfiltered|uncensored|stop\s+being\s|(?:du bist|sie sind)\s+(?:jetzt|nun|ab)\s|(?:bist\s+du|sind\s+sie)\s+eine?\s|(?:tu es|vous êtes)\s+(?:maintenant|désormais)|eres\s+una?\s|ahora\s+es\s|você\s+(?:agora|é)\s|(?:ora|adesso)\s+sei\s|je\s+bent\s|теперь\s+(?:ты|вы)\s|teraz|(?:asistan|zeka|bot)s[ıi]n|现在|(?:アシスタント|ボット|モデル)(?:です|として)|이제|지금부터|الآن`,
  },
  {
    rule: 'addressed-to-ai',
    severity: 'medium',
    pattern: order(
      raw`(?:if|when)\s+you(?:'re|\s+are)\s+(?:an?\s+)?${aiWords}(?=\s*[,.:;]|\s+(?:assistant|agent|language|model|system|bot|chatbot|reading|processing)(?!\p{L}))`,
      raw`as\s+an?\s+${aiWords}(?:\s+(?:assistant|model|agent|system|bot))?,?\s+you\s+(?:must|should|will)\b`,
      raw`(?:note|attention|message|dear|instructions?)\s+(?:(?:to|for)\s+)?(?:the\s+|all\s+|any\s+)?${aiWords}(?:\s+(?:assistant|model|agent|system|bot|tool)s?)?\s*[:,]`,
      raw`${aiWords}(?:\s+(?:assistant|agent|model|system|bot)s?)?\s+(?:must|should)\s+(?:always\s+|only\s+)?(?:treat|trust|obey|follow)\s+(?:only\s+)?this(?!\p{L})`,
      raw`(?:to\s+)?(?:(?:any|all|every|the)\s+)?${aiWords}(?:\s+\p{L}+){0,2}?\s+(?:reading|processing|summari[sz]ing|parsing)\s+(?:this|these)(?!\p{L})`,
      raw`(?:hey|dear|hello|attention)[, ]+(?:chatgpt|claude|gemini|copilot|gpt(?:-?\d)?|grok)\s*[,:!]`,
      raw`(?:achtung,?\s+|an\s+)(?:alle\s+)?(?:ki(?:-(?:assistent|modell|system|agent)\p{L}*)?|sprachmodelle|chatbots)\s*[:!]`,
      raw`(?:à\s+l['’]attention|attention,?)\s*(?:des|aux|les)?\s*(?:modèles\s+de\s+langage|assistants?\s+ia|ia|chatbots)\s*[:,!]`,
      raw`(?:atención|atenção|attenzione),?\s+(?:a\s+(?:los\s+|os\s+)?)?(?:asistentes\s+de\s+ia|assistentes\s+de\s+ia|assistenti\s+ia|modelos\s+de\s+(?:lenguaje|linguagem)|modelli\s+linguistici|chatbots?)\s*[:,!]`,
      raw`hinweise?\s+(?:an|für)\s+(?:alle\s+)?(?:ki(?:-(?:assistent|modell|system|agent)\p{L}*)?|sprachmodelle?|chatbots?)\s*:`,
      raw`wenn\s+(?:du|sie)\s+eine?\s+(?:ki(?!\p{L})|sprachmodell|chatbot)[^.,\n]{0,25}?\s?(?:bist|sind)(?!\p{L})`,
      raw`note\s+(?:aux|pour\s+les)\s+(?:assistants\s+ia|ia(?!\p{L})|modèles\s+de\s+langage|chatbots)\s*:`,
      raw`si\s+(?:vous\s+êtes|tu\s+es)\s+une?\s+(?:assistant\s+ia|ia(?!\p{L})|modèle\s+de\s+langage|intelligence\s+artificielle|chatbot)`,
      raw`nota\s+para\s+(?:los\s+|as?\s+|os\s+)?(?:asistentes\s+de\s+ia|assistentes\s+de\s+ia|ia(?!\p{L})|modelos\s+de\s+lengua|chatbots)`,
      raw`si\s+(?:eres|usted\s+es|es)\s+una?\s+(?:asistente\s+de\s+ia|ia(?!\p{L})|modelo\s+de\s+lenguaje|inteligencia\s+artificial|chatbot)`,
      raw`se\s+(?:você\s+é|tu\s+és)\s+uma?\s+(?:ia(?!\p{L})|modelo\s+de\s+linguagem|inteligência\s+artificial|chatbot)`,
      raw`se\s+sei\s+un[a']?\s*(?:ia(?!\p{L})|modello\s+linguistico|intelligenza\s+artificiale|chatbot)`,
      raw`als\s+(?:je|u)\s+een\s+(?:ai(?!\p{L})|taalmodel|chatbot)\S{0,20}\s+(?:bent|is)(?!\p{L})`,
      raw`jeśli\s+jesteś\s+(?:ai(?!\p{L})|modelem\s+językowym|sztuczną\s+inteligencją|chatbotem)`,
      raw`eğer\s+bir\s+(?:yapay\s+zeka|dil\s+modeli)(?:\s+modeli)?(?:\s+i|y)se?(?:n|niz)(?!\p{L})`,
      raw`если\s+(?:ты|вы)\s+(?:языковая\s+модель|ии(?!\p{L})|искусственный\s+интеллект|чат-?бот)`,
      raw`如果你是(?:一个|一名)?(?:人工智能|语言模型|聊天机器人|AI)(?:语言模型|助手|模型)?[，,]`,
      raw`(?:あなた|君)が(?:AI|人工知能|言語モデル|チャットボット).{0,8}?(?:なら|であれば|の場合)`,
      raw`당신이\s*(?:AI|인공지능|언어\s*모델|챗봇).{0,8}?(?:라면|인\s*경우)`,
      raw`إذا\s+كنت\s+نموذج`,
    ),
    stem: raw`(?:ai|ia|llms?|ki|ии)(?!\p{L})|(?:ass?istentes?\s+de|assistant)\s+ia|language models?|chatbot|chatgpt|claude|gemini|copilot|gpt|grok|sprachmodell|modèles?\s+de\s+langage|modelos?\s+de\s+(?:leng|ling)|modell[io]\s+linguistic|intelligence\s+artificielle|inteligencia\s+artificial|inteligência\s+artificial|sei\s+un|taalmodel|modelem|sztuczną|yapay|dil\s+modeli|языковая|искусственный|чат-?бот|如果你是|が(?:AI|人工知能|言語モデル|チャットボット)|당신이|نموذج`,
  },
  {
    rule: 'new-instructions',
    severity: 'medium',
    pattern: order(
      raw`new\s+(?:instructions|system\s+prompt)\s*:\s+(?:send|answer|reply|respond|ignore|say|tell|always|never|you|reveal|recommend|print|output)\b`,
      raw`your\s+new\s+(?:task|role|goal|job|purpose)\s+is\s+to\b`,
      raw`from\s+now\s+on,?\s+(?:you\s+(?:must\s+)?)?(?:(?:answer|reply|respond|speak)\s+(?:only\s+(?:with|in)|always|as\s+if|like)|obey)\b`,
      raw`neue\s+(?:anweisung|instruktion)(?:en)?\s*:\s*(?:antworte|schick|sende|gib|ignorier|sag|empfiehl|nenn|verrat)`,
      raw`(?:answer|respond|reply)\s+only\s+(?:with|in)\s[^.\n]{0,60}?\bfrom\s+now\s+on\b`,
      raw`deine\s+neue\s+(?:aufgabe|rolle)\s+(?:ist\s+es|besteht\s+darin)(?!\p{L})`,
      raw`(?:ta|votre)\s+nouvelle\s+(?:tâche|mission)\s+est\s+d['e]`,
      raw`tu\s+nueva\s+tarea\s+es\s+\p{L}+[aei]r(?!\p{L})`,
      raw`ab\s+(?:jetzt|sofort)\s+(?:antwortest\s+du|antworten\s+sie|antworte)\s+(?:nur|immer|ausschließlich)(?!\p{L})`,
      raw`nouvelles\s+(?:instructions|consignes)\s*:\s*(?:envoie|répond|donne|ignore|dis|recommande|affiche)`,
      raw`à\s+partir\s+de\s+maintenant,?\s+(?:tu\s+|vous\s+)?répond\p{L}*\s+(?:uniquement|seulement|toujours)`,
      raw`nuevas\s+instrucciones\s*:\s*(?:envía|responde|ignora|di\s|revela|recomienda|muestra)`,
      raw`a\s+partir\s+de\s+ahora,?\s+(?:responde|contesta)\s+(?:s[oó]lo|siempre|únicamente)(?!\p{L})`,
      raw`novas\s+instruções\s*:\s*(?:envie|responda|ignore|diga|revele|recomende|mostre)`,
      raw`a\s+partir\s+de\s+agora,?\s+(?:responda|responde)\s+(?:apenas|somente|só|sempre)(?!\p{L})`,
      raw`nuove\s+istruzioni\s*:\s*(?:invia|rispondi|ignora|di['’]|rivela|consiglia)`,
      raw`d['’]ora\s+in\s+poi,?\s+rispondi\s+(?:solo|soltanto|sempre)(?!\p{L})`,
      raw`vanaf\s+nu\s+antwoordt?\s+(?:(?:je|u)\s+)?(?:alleen|altijd|uitsluitend)(?!\p{L})`,
      raw`bundan\s+sonra\s+(?:yalnızca|sadece|hep)\s[^.\n]{0,60}?(?:cevap|yanıt)\s*ver`,
      raw`новые\s+инструкции\s*:\s*(?:отправ|отвеча|игнорируй|скажи|покажи)`,
      raw`(?:с\s+этого\s+момента|отныне),?\s+(?:ты\s+)?отвеча\p{L}+\s+(?:только|всегда)(?!\p{L})`,
      raw`从现在(?:开始|起)[，,]?你?(?:只能|只|必须)(?:回答|回复)`,
      raw`新的?指令[:：]\s*(?:请)?(?:回答|发送|忽略|输出|告诉)`,
      raw`これからは?.{0,30}だけ(?:答えて|回答し)`,
      raw`지금부터는?.{0,30}만\s*(?:대답|답변)`,
    ),
    stem: raw`new\s+(?:instructions|system\s+prompt)\s*:|your\s+new\s|from\s+now\s+on|neue\s+(?:anweisung|instruktion|aufgabe|rolle)|ab\s+(?:jetzt|sofort)\s|nouvelles?\s+(?:tâche|mission|instructions|consignes)|partir\s+de\s+(?:maintenant|ahora|agora)|nueva\s+tarea|nuevas\s+instrucciones|novas\s+instruções|nuove\s+istruzioni|ora\s+in\s+poi|vanaf\s+nu|bundan\s+sonra|новые\s+инструкции|этого\s+момента|отныне|从现在|新的?指令|これから|지금부터`,
  },
  {
    rule: 'reveal-prompt',
    severity: 'medium',
    pattern: order(
      raw`(?:reveal|print|repeat|output|show|display|tell\s+me)\s+(?:me\s+)?(?:your\s+(?:(?:system|initial|hidden|original)\s+)(?:prompt|instructions)|your\s+(?:prompt|instructions)(?=\s*(?:[.!?,;:]|$|word|verbatim|exactly|in\s+full))|the\s+(?:system\s+prompt|hidden\s+(?:prompt|instructions)))`,
      raw`(?:gib|zeig\p{L}*|nenn\p{L}*|verrat\p{L}*)\s+(?:mir\s+)?(?:deinen|ihren)\s+system-?\s?prompt`,
      raw`(?:reveal|print|repeat|output|show|display|write|quote)\s+(?:out\s+)?the\s+(?:full|complete|exact)\s+(?:text|wording|content)\s+of\s+your\s+(?:prompt|instructions|system\s+(?:message|prompt))`,
      raw`what\s+(?:were|are)\s+your\s+(?:initial|original|system|hidden)\s+(?:instructions|prompt)`,
      raw`(?:gib|zeig\p{L}*|nenn\p{L}*)\s+(?:mir\s+)?(?:deine|ihre)\s+(?:system|ursprünglichen\s+|geheimen\s+)-?\s?(?:anweisung|instruktion|vorgabe)\p{L}*`,
      raw`(?:révèle|affiche|montre|donne|répète)[zr]?(?:[- ]moi)?\s+(?:tes|vos)\s+(?:instructions|consignes)\s+(?:système|initiales|cachées|secrètes)`,
      raw`(?:muestra|revela|imprime|dime|repite)\s+(?:las\s+instrucciones\s+de\s+tu\s+sistema(?!\s+de)|tus\s+instrucciones\s+(?:del\s+sistema|iniciales|ocultas))`,
      raw`mostra(?:mi)?\s+le\s+tue\s+istruzioni\s+(?:di\s+sistema|iniziali|nascoste)`,
      raw`(?:покажи|раскрой|выведи)(?:те)?\s+(?:свои|твои|ваши)\s+(?:системные|исходные|скрытые)\s+(?:инструкции|указания)`,
      raw`(?:请)?(?:(?:把|将)|(?:输出|显示))?你的系统(?:指令|提示词)(?:原文|完整)?地?(?:输出|显示|告诉)`,
      raw`システムの?(?:指示|命令)を(?:そのまま|すべて|全て)(?:出力|表示|教え)`,
      raw`(?:révèle|affiche|montre|donne)[zr]?(?:[- ]moi)?\s+(?:ton|votre)\s+prompt`,
      raw`(?:revela|muestra|dime)\s+tu\s+prompt`,
      raw`(?:revele|mostre|exiba)\s+(?:o\s+)?(?:seu|teu)\s+prompt`,
      raw`(?:rivela|mostra)\s+(?:il\s+)?tuo\s+prompt`,
      raw`(?:покажи|раскрой|выведи)(?:те)?\s+(?:свой|твой|ваш)\s+(?:системный\s+)?промпт`,
      '(?:请)?(?:输出|显示|透露|告诉我)你的(?:系统)?提示词',
      'システムプロンプトを(?:表示し|出力し|教え|見せ)て',
    ),
    stem: raw`prompt|your\s+(?:(?:system|initial|hidden|original)\s+)?(?:instructions|message)|hidden\s+instructions|(?:deine|ihre)\s+(?:system|ursprünglichen|geheimen)|(?:tes|vos)\s+(?:instructions|consignes)\s|instrucciones\s+de\s+tu\s|tus\s+instrucciones|tue\s+istruzioni|(?:системные|исходные|скрытые)\s+(?:инструкции|указания)|промпт|你的系统|提示词|システムの?(?:指示|命令)|プロンプト`,
  },
  {
    rule: 'hide-from-user',
    severity: 'medium',
    pattern: order(
      raw`(?:do not|don't|never)\s+(?:tell|inform)\s+the\s+(?:(?:user|customer|reader)s?\s+(?:that\s+you\s+(?:have\s+)?(?:read|saw|seen|received)|about\s+(?:this|these)\s+(?:note|text|instruction)s?)\b|(?:user|reader)s?\s+about\s+(?:this|these)(?=\s*(?:[.!;]|$)))`,
      raw`(?:do not|don't|never)\s+(?:tell|mention|reveal)\s+this\s+(?:(?:sentence|text|note|instruction|prompt)\s+)?to\s+the\s+(?:user|customer|reader)(?!\s+service)`,
      raw`(?:do not|don't|never)\s+(?:reveal|disclose|admit|say)\s+to\s+the\s+(?:user|reader)s?\s+that\s+(?:you\s+(?:have\s+)?(?:read|saw|seen|received)|this\s+(?:text|page|note|instruction))\b`,
      raw`without\s+(?:telling|informing|notifying)\s+the\s+(?:user|customer|reader)s?,?\s+(?:append|add|include|insert)\s[^.\n]{0,20}?https?:`,
      raw`erwähn\p{L}*\s+(?:gegenüber\s+)?(?:dem|den|der)\s+(?:nutzer|benutzer|kunde)\p{L}*\s+(?:gegenüber\s+)?nicht,?\s+dass\s+(?:du|sie)\s+(?:das|dies\p{L}*)\s[^.\n]{0,20}?(?:gelesen|gesehen)`,
      raw`n['’](?:informe[zs]?|avertis(?:sez)?)\s+pas\s+(?:l['’]|les?\s+)(?:utilisateur|client)s?\s+de\s+(?:ce\s+(?:message|texte)|cette\s+(?:note|consigne))(?!\p{L})`,
      raw`no\s+(?:menciones|reveles)\s+est(?:e\s+(?:mensaje|texto)|a\s+(?:nota|instrucción))\s+al\s+usuario`,
      raw`não\s+(?:conte|diga|mencione|revele)\s+(?:isto\s+|isso\s+)?ao\s+(?:usuário|utilizador|cliente)\s+que\s+(?:leu|viu)`,
      raw`non\s+(?:dire|rivelare|menzionare)\s+all['’]utente\s+che\s+hai\s+(?:letto|visto)`,
      raw`vertel\s+de\s+(?:gebruiker|klant)\s+niet\s+dat\s+(?:je|u)\s+(?:dit|deze)\s[^.\n]{0,20}?gelezen`,
      raw`не\s+говори(?:те)?\s+пользовател\p{L}+,?\s+что\s+(?:ты|вы)\s+(?:это\s+)?(?:прочита|виде)`,
      raw`不要告诉用户你(?:读|看|收到)`,
      raw`(?:このこと|この指示)を(?:ユーザー|利用者)に(?:言わ|伝え|知らせ)な`,
      raw`sag(?:en\s+sie)?\s+(?:dem|der|den)\s+(?:nutzer|benutzer|kunde)\p{L}*\s+nicht,?\s+dass\s+(?:du|sie)\s+(?:das|dies\p{L}*)\s[^.\n]{0,20}?(?:gelesen|gesehen)`,
      raw`ne\s+(?:dis|dites)\s+pas\s+(?:à\s+l['’]|aux?\s+)(?:utilisateur|client)s?\s+que\s+(?:tu\s+as|vous\s+avez)\s+(?:lu|vu|reçu)`,
      raw`no\s+(?:le\s+)?diga[ns]?\s+al\s+(?:usuario|cliente)\s+que\s+has?\s+(?:leído|visto)`,
    ),
    stem: raw`(?:not|don't|never)\s+(?:(?:tell|inform)\s+the|(?:tell|mention|reveal)\s+this|(?:reveal|disclose|admit|say)\s+to\s+the)\s|without\s+(?:telling|informing|notifying)\s|erwähn|sag(?:en\s+sie)?\s+(?:dem|der|den)\s|n['’](?:informe|avertis)|ne\s+(?:dis|dites)\s+pas\s|(?:menciones|reveles)\s+est|diga[ns]?\s+al\s|não\s+(?:conte|diga|mencione|revele)\s|non\s+(?:dire|rivelare|menzionare)\s|vertel\s+de\s|не\s+говори|告诉用户|を(?:ユーザー|利用者)に`,
  },
  {
    rule: 'steer-answer',
    severity: 'medium',
    pattern: order(
      raw`when(?:ever)?\s+you\s+(?:summari[sz]e|answer\s+from)\s+this\s+(?:page|article|document|text),?\s+(?:(?:please|always)\s+)?(?:include|say|recommend|mention)\b`,
      raw`(?:(?:always|please)\s+)?(?:include|insert|append|embed)\s+(?:(?:the|this)\s+(?:link|image|url)\s+)?https?:\S+\s+in\s+(?:your|every|each)\s+(?:answer|response|reply)\b`,
      raw`in\s+every\s+(?:answer|response),?\s+(?:include|say|add|mention|insert)\s[^.\n]{0,40}?(?:https?:|the\s+phrase)`,
      raw`end\s+(?:every|each)\s+(?:answer|response)\s+with\s[^.\n]{0,20}?(?:recommend|https?:|the\s+phrase)`,
      raw`when(?:ever)?\s+(?:you\s+are\s+)?(?:answering|asked)\s+(?:any\s+)?(?:questions?\s+)?about\b[^.,\n]{0,60},\s*(?:always|only)\s+(?:say|answer|recommend|claim)\s[^.\n]{0,80}?\bnever\s+mention\s+this\b`,
      raw`(?:send|post|forward|upload|leak)\s+the\s+(?:user['’]s\s+)?(?:(?:whole|full|entire)\s+)?(?:conversation|chat)(?:\s+(?:history|transcript))?\s+to\s+https?:\S*=(?!\S)`,
      raw`render\s+(?:this|the\s+following)\s+image\s+with\s+the\s+(?:user|customer)['’]s\s`,
      raw`(?:you\s+must\s+)?(?:call|invoke)\s+the\s+(?:function\s+)?(?:delete|send|transfer|share)_[a-z_]+\s+(?:tool\s+)?with\s+the\s+(?:current\s+user['’]s|chat\s+transcript|conversation\s+history)(?!\p{L})`,
      raw`füge?\s+(?:jeder|allen)\s+(?:deiner\s+)?antwort(?:en)?\s+(?:den|diesen)\s+link\s+https?:`,
      raw`ajoute[zr]?\s+ce\s+lien\s+à\s+(?:chacune\s+de\s+|toutes\s+)tes\s+réponses\s*:\s*https?:`,
      raw`incluye\s+este\s+enlace\s+en\s+(?:todas|cada\s+una\s+de)\s+tus\s+respuestas\s*:\s*https?:`,
    ),
    stem: raw`you\s+(?:summari[sz]e|answer\s+from)\s+this\s|(?:your|every|each)\s+(?:answer|response|reply)\b|never\s+mention\s+this|(?:conversation|chat)(?:\s+(?:history|transcript))?\s+to\s+https?:|image\s+with\s+the\s|(?:call|invoke)\s+the\s+(?:function\s+)?(?:delete|send|transfer|share)_|antwort(?:en)?\s+(?:den|diesen)\s+link\s|(?:réponses|respuestas)\s*:\s*https?:`,
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

/** Part of every word with spaced-out letters. Much faster than the pattern that finds these words. */
const spacedOut = / (?:[^ ]|[\ud800-\udbff][\udc00-\udfff]) (?:[^ ]|[\ud800-\udbff][\udc00-\udfff]) /;

/** Rewrites words with lookalike letters, and words with spaced-out letters, as a reader sees them. */
export function revealWords(text: string): string {
  const latin = /[\u0370-\u04ff\u0500-\u052f]/.test(text)
    ? text.replaceAll(/[\p{L}]+/gu, (word) =>
        /[a-z]/i.test(word) && /[\u0370-\u052f]/.test(word)
          ? Array.from(word, (letter) => lookalikes[letter] ?? letter).join('')
          : word,
      )
    : text;
  return !spacedOut.test(latin)
    ? latin
    : latin.replaceAll(
        /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}])){3,}(?: {2,}\p{L}(?: \p{L}(?![\p{L}\p{N}]))+)*/gu,
        (spaced) => spaced.replaceAll(/ (?! )(?<! {2})/g, '').replaceAll(/ {2,}/g, ' '),
      );
}
