import { DENIED, JOKE } from './lexicon/at-hand-words.ts'

/**
 * Sentences that speak of a choice without making one: questions, what could be, what others say, what was, and what is not
 * decided. Tested on the words around a cue, not on the reason behind it.
 */

const TAG_QUESTION =
  /,\s*(?:ok|okay|right|yeah|please|alright|deal|agreed|yes|oder|ok\s?\?|d'accord|vale|ладно)\s*\?\s*$/i
/** "The class has three fields, right?" asks what is so. */
const ASSURES =
  /^\W*(?:the|this|that|it|there|our|my)\b(?!.*\b(?:should|must|will|shall)\b).*,\s*right\s*\?\s*$/i
const POLITE =
  /^(?:\W*(?:ok|okay|yes|yeah|hey|hi|and|also|so|please)[,.]?\s+)*(?:can|could|would|will) (?:you|we) (?:please|just)?\s*(?:always|never|use|switch|move|change|set|rename|keep|make|replace|stick|drop|bump|migrate|go with)\b.*\b(?:please|instead|from now on|everywhere|going forward|rather than|always|never)\b|^(?:can|could|would) you please\b/i
const QUESTION_END = /[?？؟]["')\s]*$/
const QUESTION_START =
  /^(?:\W*(?:ok|okay|so|and|but|hmm+|well|now|also|btw|wait|actually|oh)[,.]?\s+)*(?:(?:do (?:we|i|you|they|the|our|my)\b|(?:should|shall|could|can|would|does|did|is|are|was|were|will|has|have|am)(?:n'?t)? (?:we|i|you|it|they|there|the|this|that|our|my|anyone|anybody|someone|he|she)\b)|(?:what|which|why|how|when|where|who|whose|whether)(?:'s| )(?!about we (?:just )?use|(?:i|we) (?:want|need)))/i
const UNSURE =
  /\b(?:what if|may ?be|perhaps|might|could(?:n'?t)?|would(?:n'?t)? (?!like|prefer|rather)|'d (?:be|have)\b|suppos(?:e|ing)|imagin(?:e|ing)|wonder(?:ing|s|ed)?|consider(?:ing|ed|s)?|think(?:ing)? (?:of|about)|thought (?:of|about)|if we ever|in theory|theoretically|hypothetical(?:ly)?|some ?day|eventually|at some point|down the (?:road|line)|one day|not (?:yet )?(?:sure|certain|convinced|decided|settled)|unsure|undecided|un?clear|don'?t know|do not know|no idea|(?:haven'?t|have not|hasn'?t|has not) (?:yet )?(?:decided|chosen|picked|settled|made)|yet to decide|tempt(?:ed|ing)|lean(?:ing)?|toy(?:ing)? with|curious|possibly|possibility|potentially|explor(?:e|ing)|evaluat(?:e|ing)|investigat(?:e|ing)|compar(?:e|ing|ison)|pros and cons|trade-?offs?|difference between|explain|tbd|to be decided|open question|for (?:example|instance)|e\.g\.|such as|for the sake of argument|say we|one option|an option|options (?:are|include)|debating|between .{1,30} and .{1,30}|torn|either|whether|i guess|i suppose|probably|hopefully|i wish|would be nice|nice to have|idea:|not saying|brainstorm(?:ing)?|spike|prototype of|proof of concept|poc|experiment(?:ing)? with|play(?:ing)? (?:around )?with|had considered)\b/i
const CONDITION =
  /(?:^|[,;:]\s*|\b(?:and|but|or|so|then|only|even)\s+)(?:if|unless|in case|assuming|provided|were we to|had we|should we ever)\b(?! (?:possible|you (?:don'?t mind|can|agree)|it'?s ok|that'?s ok|not already|nothing else|needed|necessary))/i
const REPORTED =
  /\b(?:he|she|they|someone|somebody|everyone|everybody|people|(?:my|our|their|a|the|some|one|another|your|his|her) (?:[\w-]+ ){0,3}?(?!(?:i|we|you) )[\w-]+|docs?|documentation|readme|tutorials?|articles?|blog(?: posts?)?|chatgpt|gpt|copilot|stack ?overflow|hacker ?news|reddit|twitter|it)(?:'s| is| are| was| were| has| have|'ve)? (?:always |also |really |still |once |just |only |strongly |already )?(?:sa(?:y|ys|id|ying)|tells?|told|suggest(?:s|ed|ing)?|recommend(?:s|ed|ing)?|claim(?:s|ed|ing)?|argue[sd]?|arguing|insist(?:s|ed|ing)?|think(?:s)?|thought|prefer(?:s|red)?|mention(?:s|ed)|ask(?:s|ed)|advise[sd]?|advocate[sd]?|propos(?:es|ed|ing)|demand(?:s|ed|ing)|believe[sd]?|swears? by|likes?|loves?|hates?|wants? (?:us|me|you) to|keeps? (?:telling|saying|recommending|suggesting|pushing)|writes?|wrote|states?|stated|push(?:es|ed|ing) for)\b|\baccording to\b|\b(?:i|we) (?:read|heard|saw)\b|\bquot(?:e|ed|ing)\b|\brumou?rs?\b|\bthe (?:docs|readme|article|tutorial|guide|blog post|book|video|page|ticket|spec|log|error|message|output)\b[^,]{0,30}\b(?:use[sd]?|using|show(?:s|ed)?|says?)\b/i
const NAMED =
  /\b(?!I |We |You |What |Who |It |That |This |Which )[A-Z][a-z]+ (?:also |really |still |just )?(?:sa(?:ys|id)|told|suggest(?:s|ed)|recommend(?:s|ed)|claims?|argue[sd]|insist(?:s|ed)|thinks|thought|prefers|preferred|mentioned|asked|advised|proposed|swears by|likes|loves|hates|wrote|wants (?:us|me|you) to)\b/
const PAST =
  /\b(?:used to|previously|back (?:then|in)|back when|at my (?:old|last|previous|former)|at (?:a|our|the) (?:previous|former|old)|in my (?:old|last|previous)|my (?:old|last|previous|former) (?:\w+ )?(?:job|company|team|project|employer|gig|startup|place)|(?:last|previous) (?:year|month|job|project|team|company|time|week|quarter|sprint)|(?:years?|months?|weeks?) ago|formerly|(?:we|i|they|he|she|it|team|project|app)(?:'d| had)? (?:once |originally |initially |first |already |also |mostly )?(?:used|tried|ran|started with|had (?:been )?(?:using|used|tried)?|were (?:using|on|running)|was (?:using|on|running))\b|originally|historically|in the past|once (?:used|tried)|way back|in (?:19|20)[012]\d\b(?! edition)|it was|there was|was (?:written|built|made|using|based)|had (?:chosen|picked|decided|used)|other (?:project|team|company)s?|competitors?|their (?:stack|backend|team|app))\b/i

/** Whether the words are a question to the other side, and no request that is only put politely. */
export function isQuestion(sentence: string): boolean {
  if (POLITE.test(sentence)) return false
  if (QUESTION_END.test(sentence)) return !TAG_QUESTION.test(sentence) || ASSURES.test(sentence)
  if (isCase(sentence)) return false
  return QUESTION_START.test(sentence)
}

/** "When the barcode is missing, …" */
const CASE = /^(?:\W*(?:and|also|so|but)\s+)?(?:when|where)\s[^,?]{3,80},\s/i

/** Whether the words speak of a special case only. */
export function isCase(sentence: string): boolean {
  return CASE.test(sentence)
}

/** Whether the words say of themselves that they are not meant, or not the speaker's. */
export function isNotMeant(words: string): boolean {
  return JOKE.test(words) || DENIED.test(words)
}

/** Whether the words leave it open: a guess, a condition, an idea, an example. */
export function isUnsure(words: string): boolean {
  return UNSURE.test(words) || CONDITION.test(words) || isUnsureElsewhere(words)
}

/** Whether the words say what somebody else says or does. */
export function isReported(words: string): boolean {
  return REPORTED.test(words) || NAMED.test(words) || REPORTED_ELSEWHERE.test(words)
}

/** Whether the words tell of the past. */
export function isPast(words: string): boolean {
  return PAST.test(words) || PAST_ELSEWHERE.test(words)
}

/** Trouble, measurements and what is so at the moment. */
const REPORT =
  /\b(?:fails?|failing|failed|crash\w*|broke|broken|breaks|complain\w*|hangs?|hung|stuck|leak(?:s|ing)|slow(?:er|ly)?|wrong|weird|strange(?:ly)?|odd(?:ly)?|missing|bugs?|buggy|stopped|took|ran|got|seems?|seemed|looks? (?:like|as|good|fine|ok|wrong)|appears?|noticed|saw|says|said|yesterday|today|this (?:morning|week)|last night|right now|currently|at the moment|so far|already|sometimes|often|usually|apparently|keeps? \w+ing|is (?:down|up|full|empty|dead|red|green|\w+ing)|are (?:down|up|full|empty|dead|red|green|\w+ing)|has been|have been|had|were|was|did|didn't|can't|cannot (?:find|see|reach|connect|open)|won't start|does ?n[o']t work|not working|as usual|by accident|somehow|complete mess)\b/i

/** Whether the words tell what happens or what is the matter, and lay nothing down. */
export function isReport(words: string): boolean {
  return REPORT.test(words)
}

const UNSURE_ELSEWHERE =
  /(?<!\p{L})(?:vielleicht|eventuell|könnten|könnte|würden|würde|überlege\w*|wenn wir|falls|peut-être|pourrait|pourrions|devrait-on|si on|si nous|si jamais|imaginons|hésite|quizás|quizá|tal vez|podríamos|podría|si usáramos|si alguna vez|estoy pensando|talvez|poderíamos|poderia|se a gente|se um dia|может быть|может|возможно|наверное|если|думаю о|не решил\w*|подумываю)(?!\p{L})|也许|或许|可能|如果|要是|考虑|还没决定|没想好|かもしれ|たぶん|もし|検討|まだ決めて|迷って|아마|만약|어쩌면|고민|할까|고려|아직 결정|どうかな|だろうか/iu
const REPORTED_ELSEWHERE =
  /(?<!\p{L})(?:(?:kollege|kollegin|chef|doku|artikel)\w* (?:sagt|meint|empfiehlt)|(?:mon|ma|le|la) (?:collègue|chef|doc|documentation) (?:dit|recommande|conseille)|(?:mi|el|la|un) (?:compañer[oa]|colega|jefe|documentación|amigo) (?:dice|recomienda|sugiere)|(?:meu|minha|o|a|um) (?:colega|chefe|documentação|amigo) (?:diz|disse|recomenda|sugere)|коллега (?:говорит|советует|предлагает)|в документации|(?:друг|начальник|он|она|они) (?:говорит|советует|сказал\w*))(?!\p{L})|(?:同事|老板|朋友|文档|他|她)(?:说|建议|推荐|里说)|(?:同僚|上司|ドキュメント|友人)(?:は|が|では|には)|(?:동료|상사|친구|문서)(?:가|는|에서|에는)/iu
const PAST_ELSEWHERE =
  /(?<!\p{L})(?:früher|damals|letztes jahr|in meinem alten|im letzten|avant|autrefois|l'an dernier|dans mon ancien\w*|antes (?:usábamos|usaba|usávamos)|en mi anterior|el año pasado|no meu antigo|no meu (?:último|emprego anterior)|ano passado|раньше|в прошлом|на прошлой работе|прежде)(?!\p{L})|以前|之前|过去|上一家|去年|以前は|前職|前の(?:会社|プロジェクト)|예전|이전 회사|전 직장|작년/iu

function isUnsureElsewhere(words: string): boolean {
  return UNSURE_ELSEWHERE.test(words)
}
