import { isSpoken, type Message, messageText, ownWords, pastedRanges } from '@palimpsest/core'
import { oneLine } from './text.ts'

/** Maximum characters of a rule; longer sentences are explanations. */
const MOST_OF_RULE = 400
/** Only the ends of a longer message, in characters, are the user's own words; the middle is pasted. */
const PASTED = 4_000
const ENDS = 1_000

/**
 * Cues of a standing rule. A false match costs tokens, a miss loses a rule. A sentence with more cues is kept longer.
 */
const standing = (): readonly RegExp[] => [
  // Holds always, or for everything.
  /\b(?:always|never|from (?:now|here|this point) on|going forward|from today|henceforth|for the rest of|at all times|until (?:i|we|told)|unless)\b/,
  // Except descriptions of somebody's habits.
  /(?<!\b(?:i|you|they|we|he|she|it|is|are|was|were|have|has|had|been|who|that) |'\w{1,2} )\b(?:always|never)\b(?! (?:say never|mind))/,
  /\b(?:british|american) english\b|\b(?:metric|iso|utc)\b/,
  /\b(?:as a rule|by convention|by default|standing (?:rule|instruction|order)|house (?:rule|style)|ground rules?|our (?:rule|policy|convention|standard)s?|under no circumstances|no exceptions?|without exception|non-negotiable|full stop|period\.|end of story|ever\b(?! (?:wonder|since|heard|seen)))/,
  /\b(?:keep in mind|remember|bear in mind|for future reference|(?:every|each|any) ?time|in (?:the )?future|throughout|across (?:the|all)|everywhere|anywhere|all over|in general|generally|per (?:\w+)$|one per|(?:is|are) [^,.;]{1,40} here\b|in this (?:project|repo|codebase|code base)|on our side|around here)\b/,
  /\b(?:whatever|wherever|whichever|whenever|whoever|anything|everything|everyone|everybody|anybody|anyone|nobody|no one|nothing|none of|neither)\b/,
  /\b(?:all|every|each|any|both)\b.*\b(?:is|are|go(?:es)?|gets?|has|have|uses?|lives?|belongs?|ends?|starts?|begins?|comes?|stays?|runs?|needs?|takes?|returns?|carr(?:y|ies)|in|with|as)\b/,
  /^(?:rules?|policy|convention|style|note|constraint|requirement|important|preference|reminder)s?(?: \w+)?\s*[:-]/,
  // Obligation or prohibition.
  /\b(?:must|mustn't|shall|may not|have to|has to|needs? to|(?:is|are) to|ought to|supposed to|can't be|cannot be|can never|can only)\b/,
  /\bshould(?:n't| not| only| always| never)? (?:be|stay|have|use|go|contain|carry|live|end|start|look|read|sit|come|return|not)\b/,
  /\b(?:forbidden|banned|prohibited|off[- ]limits|hands off|not allowed|not permitted|not an option|allowed|required|mandatory|compulsory|frozen|read-only|taboo|out of (?:bounds|scope)|confidential|private|sacred|no-go)\b/,
  /\b(?:no more than|no longer than|not more than|no fewer than|no less than|at (?:the )?(?:most|least|latest)|exactly (?:as|one|the)|one [a-z ]{2,20}, one |a (?:maximum|minimum) of|up to \d|max(?:imum)? \d|(?:under|below|within|above|over) \d|limited to|tops|or (?:less|fewer|more|shorter|longer)\b)/,
  /\bonly\b(?! (?:just|way|thing|problem|question|reason|one who))/,
  /(?:^|[,;:–—(-] ?|\b(?:and|but|with|please|so|still) )no (?!one\b|idea\b|problem\b|worries\b|need\b|doubt\b|way\b|matter\b|thanks\b|wonder\b|clue\b|luck\b|longer\b|difference\b|rush\b|hurry\b|error\b|result\b|change\b)[\p{L}`'"!-]+/u,
  // Conditions with an instruction; a subject with a requirement.
  /^(?:and |also |but |oh |please |so )*(?:if|when|whenever|wherever|once|before|after|for|as soon as) [^,]{4,120}, (?:please |just |do |do not |don't |never |always |first |then )?(?:show|put|give|tell|ask|use|do|run|write|add|keep|stop|let|leave|call|send|start|say|make|check|note|mark|log|link|name|ping|tag|open|read|look|wait|go|stay|take|bring|include|attach|mention|explain|no|not|only)\b/,
  /^[\p{L}][\p{L} /-]{2,40}: \S/u,
  /[,;] (?:please|pls)\b|\b(?:please|pls)[.!]?$/,
  /[,;–—-] ?not [^,.;]{2,40}(?:[,.;!]|$)/,
  // Imperatives for repeated actions, or to leave something alone.
  /(?:^|[,;:–—] |\b(?:and|also|but|please|so|then|just) )(?:do not|don't|dont|avoid|refrain from|stop \w+ing|stick (?:to|with)|prefer|favou?r|ensure|make sure|be sure|be careful|leave .* (?:alone|out|as (?:is|it is|they are))|stay (?:away|out|off|with|in)|steer clear|watch out|go easy)\b/,
  /\b(?:ask|check with|tell|warn|ping|consult|run it by|talk to|confirm with|let) (?:me|us|[A-Z]\p{L}+)\b.*\b(?:before|first|if|when|unless|instead|each|every)\b|\b(?:if|when|before|once|unless)\b.*\b(?:ask|check with|tell|warn|ping|consult|confirm with|say so|let) ?(?:me|us|know)?\b/iu,
  /^(?:and |also |but |oh |please |so |then |for \w+,? )*(?:keep|treat|assume|write|name|call|store|format|prefix|suffix|wrap|answer|reply|respond|address|speak|talk|quote|cite|round|pin|squash|spell|capitali[sz]e|abbreviate|respect|follow|restrict|double-check|stick|use)\b.*\b(?:in|as|with|by|to|for|under|out of|instead|rather|not|short|first|please|when|if|like)\b/,
  // The user's preferences.
  /\b(?:i|we)(?:'d| would| really| strongly| much| usually| normally| generally| only| do| all)* (?:prefer|insist|expect|require|demand|rather|hate|dislike|can't stand|don't (?:want|like|do|allow|accept|ship|merge|commit|deploy|support|need to|write|speak)|do not (?:want|like|use|do|allow|accept|ship)|want (?:you|all|every|no|everything|them|our|my|it to|to (?:see|read|approve|review|know))|like (?:you|all|every|my|our|things?|them) |write|spell|call (?:it|them|our|those|these)|count in|store|name|format|release on|speak|stick|agreed)\b/,
  /\b(?:instead of|rather than|in favou?r of|and not|never|, not|but not|not) [^,.;]{1,40}[.!]?$|\b(?:is|are|be|as|in|use|means?) [^,.;]{1,40}(?:, not|, never| not| over| rather than| instead of) \S+/,
  /\b(?:without (?:my|our|asking|prior|first|permission|approval|a|any|telling)|before (?:you|any|every|each|anything|touching|changing|adding|merging|committing|deleting)|after (?:every|each|any))\b/,
  /\b(?:please|pls)\b.*\b(?:in|for|with|no|keep|not|short|and|as|use|always|style|english)\b/,
  /\b(?:for me|my (?:taste|preference|rule|pet peeve|style)|allergic to|pet peeve|not a fan of|a fan of|matters? to (?:me|us)|important to (?:me|us))\b/,
  // General statements in the plural.
  /^(?:[\p{L}_`'-]+ ){0,4}[\p{L}_`'-]+s (?:are|go|get|live|stay|belong|come|use|need|have|end|start|begin|carry|follow|read|look|take|return|run|keep|speak|stand)\b(?! (?:green|red|done|failing|broken|missing|wrong|slow|fine|ok|okay|still|now|too|there|here|back|up|down|gone|empty|off|over|like|to be|\p{L}+ing|a bit|so|very|really|probably|mostly|also)\b)/u,
  /\b(?:stays?|remains?|belongs?|lives?|goes|gets?) (?:in|on|at|under|with|as|to|out|behind|inside|the|a|an|its)\b|\b(?:is|are) (?:written|stored|named|called|kept|given|counted|measured|done|made|sorted|spelled|capped|limited|formatted|prefixed|integers?|strings?|utc|cents)\b/,
  // The same in other languages: German, French, Spanish, Portuguese, Italian; Chinese, Japanese, Korean.
  /\b(?:immer|nie|niemals|ab (?:jetzt|sofort)|künftig|grundsätzlich|keinesfalls|auf keinen fall|bitte (?:kein|nicht|nur)|nur|muss|müssen|darf|dürfen|soll|sollen|toujours|jamais|désormais|dorénavant|doit|doivent|siempre|nunca|jamás|debe|deben|sempre|mai)\b/,
  /总是|始终|不要|必须|禁止|从现在起|以后|一律|只能|常に|必ず|絶対に|しないで|항상|절대|반드시/,
]

/** Questions and reactions are never rules. */
const reactions = (): readonly RegExp[] => [
  /\?["')\]]*$/,
  // A proposal, not a preference: "I'd use the formula".
  /^(?:(?:well|and|so|but|then|maybe|yes|yeah|no|hm+|ok(?:ay)?)[, ]+)*i(?:'d| would) (?!(?:\w+ly |much |also )*(?:prefer|rather|like|love|hate|want|insist|expect|appreciate|need|always|never)\b)/,
  /^(?:never ?mind|don't worry|no (?:problem|worries|rush|hurry)|let me (?:know|think|see|check)|tell me (?:about|more|what|how|why)|i (?:don't|do not) (?:think|know|see|understand|remember|get|care)|thanks|thank you|sorry|sure|ok(?:ay)?,? (?:thanks|great|good)|hm+|wow|lol|haha)\b/,
]

/** Narrative or uncertain sentences: a single cue there is a coincidence. */
const tales = (): readonly RegExp[] => [
  /^(?:(?:yeah|yes|well|but|and|so|oh|unfortunately|definitely|maybe|wow|hey)[,! ]+)*(?:i'm|i am|i'll|it's|it is|that's|they|he|she|there's|we're|you're|your|here's|having|seeing|being|must|always|anytime)\b/,
  /!$/,
  /\b(?:i|you|we|he|she|they|it) (?:always|never|only|also|just)? ?(?:was|were|had|did|thought|wanted|wondered|knew|saw|heard|worked|said|been|got|found|tried|felt|went|took|made|came|loved|started)\b/,
  /\b(?:i|we)(?:'ve| have| had)\b(?! to\b)|\b(?:i|you|we|they|he|she|it|that|this|there|life|family|times?) (?:is|are|was|were) always\b|(?:'s|'m|'re) always\b/,
  /^(?:it|that|this|there|he|she|they|i)(?:'s|'ll|'d)? (?:can|could|may|might|will|would|must (?:have|be|feel)|should be fun|really|just|sounds?|looks?|seems?|feels?)\b|\bcan(?:'t| not|not) (?:imagine|wait|believe|help|get enough)\b/,
  /\b(?:yesterday|last (?:week|night|year|month|time)|this morning|ago|just (?:failed|passed|now|got|saw)|for now|this (?:one )?time|right now|today|tomorrow|tonight)\b/,
]

let cues: Readonly<Record<'standing' | 'reactions' | 'tales', readonly RegExp[]>> | undefined

export function rulesIn(message: Message): string[] {
  return linesOf(message).flatMap((sentences) => {
    const rules: string[] = []
    let isNext = false
    for (const sentence of sentences) {
      const isRule = cuesOf(sentence) > 0
      const before = rules.at(-1)
      const joined = `${before} ${sentence}`
      if (isRule && isNext && joined.length <= MOST_OF_RULE) rules[rules.length - 1] = joined
      else if (isRule) rules.push(sentence)
      isNext = isRule
    }
    return rules
  })
}

export function sentencesOf(message: Message): string[] {
  return linesOf(message).flat()
}

function linesOf(message: Message): string[][] {
  if (!isSpoken(message)) return []
  const text = ownWords(messageText(message))
  const own = text.length > PASTED ? `${text.slice(0, ENDS)}\n${text.slice(-ENDS)}` : text
  return withoutPasted(own)
    .split('\n')
    .filter((line) => !/^\s*\$ /.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•]|#+|\(?\d{1,3}[.)])\s+/, '')
        .split(/(?<=[.!?。！？])\s+(?=[^a-z])/)
        .map(oneLine)
        .filter((sentence) => sentence.length > 3),
    )
}

function withoutPasted(text: string): string {
  let own = ''
  let done = 0
  for (const { start, end } of pastedRanges(text)) {
    own += `${text.slice(done, start)}\n`
    done = end
  }
  return own + text.slice(done)
}

const MARK = /^m\d+: /

export function cuesOf(sentence: string): number {
  if (sentence.length > MOST_OF_RULE) return 0
  const lower = sentence.replace(MARK, '').toLowerCase().replaceAll('’', "'")
  cues ??= { standing: standing(), reactions: reactions(), tales: tales() }
  if (cues.reactions.some((cue) => cue.test(lower))) return 0
  const count = cues.standing.filter((cue) => cue.test(lower)).length
  return count === 1 && cues.tales.some((cue) => cue.test(lower)) ? 0 : count
}
