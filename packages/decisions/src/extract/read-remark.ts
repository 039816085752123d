import type { Candidate } from '../candidates/candidate.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import type { Sentence } from './sentences.ts'

/** Remarks of one message; who says more on several subjects has written a document. */
const MAX_REMARKS = 4
/** Subjects of one remark. */
const MAX_SLOTS = 4

/** Words that doubt, prefer or change something. */
const DOUBTS = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    String.raw`second thoughts?|reconsider\w*|re-?think\w*|doubt\w*|regret\w*|unsure|undecided|torn|leaning|tempted|no longer`,
    String.raw`any ?more|instead|rather|prefer\w*|overkill|better off|better (?:fit|choice|suited|served|with)|switch\w*`,
    String.raw`swap\w*|migrat\w+ (?:away|off|from|to)|mov(?:e|ed|ing) (?:away|off|on from|over)|ditch\w*|abandon\w*`,
    '(?:get|getting) rid|give up on|(?:changed?|changing) (?:my|our) minds?|(?:sick|tired) of|fed up|wish|after all',
    'turns? out|wrong about|rely on|open again|changes? of plans?|scratch|strike|forget|take (?:it|that) back',
    String.raw`(?:is|are) gone|back to|from now on|make (?:it|that)|should be \S*\d\S*`,
    "should(?:'ve| have) (?:used|taken|gone|picked|chosen)",
    'not (?:so |really |that |too |very |entirely |quite )?(?:sure|happy|convinced|sold|keen|comfortable|a fan|the right|a good|ideal)',
    'un(?:happy|comfortable)',
    "(?:not|never|n't) (?:(?:be|going to|want to|need to) ){0,2}(?:use|using|go with|going with|adopt|need|set)",
    'any(?:thing|one) but|revert\\w*',
    'too (?:slow|big|small|short|long|heavy|expensive|complex|complicated|high|low|few|many)',
  ].join('|')})(?!\p{L})`,
  'iu',
)
/** "Not Postgres.", "no Redis, keep it simple". */
const REFUSES = /^\W*(?:not|no|without) (?:[^\s.!,;]|\.(?=\w))+(?: [^\s.!,;]+)?(?:[.!]*$|[,;])/i
const ASKS =
  /[?？؟]["')\s]*$|^\W*(?:(?:so|and|but|hmm+|ok|well)[,\s]+)*(?:(?:should|shall|could|can|would|do|does|did|is|are|was|were|will|has|have) (?:we|i|you|it|they|there|the|this|that|our)|what|which|why|how|when|where|who)\b/i
/** "Explain how it works." */
const ASKS_FOR =
  /^\W*(?:please[,\s]+)?(?:explain|describe|summari[sz]e|compare|translate|tell me (?:about|how|what|why)|show me (?:how|what|why))\b/i
/** The past, what is elsewhere, the hypothetical, and code. */
const ELSEWHERE = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    'used to|previously|back (?:then|in|when)|(?:my|our|the) (?:old|last|previous|former|other|hobby|side|private)',
    '(?:in|of) (?:the|an|this) example|last (?:year|job)|years? ago|(?:was|were) (?:done|built|written|made)',
    'if (?:i|we|it|they) (?:had|were|could)',
  ].join('|')})(?!\p{L})|[{}]|;\s*$|^\W*#\w|=\s*["']`,
  'iu',
)

type Remark = Extract<Candidate, { kind: 'remark' }>

/**
 * Sentences of a user that are neither understood (`plain`) nor questions nor of the past, and that have words of doubt or name
 * a technology. Subjects of which the message says something plain are left out.
 */
export function readRemarks(
  message: number,
  sentences: readonly Sentence[],
  plain: readonly Candidate[],
): Remark[] {
  const known = new Set(plain.flatMap(slotsOf))
  const found: Remark[] = []
  for (const { start, end, shape } of sentences) {
    if (found.length >= MAX_REMARKS) break
    if (plain.some(({ span }) => span.start < end && start < span.end)) continue
    if (ASKS.test(shape) || ASKS_FOR.test(shape)) continue
    const technologies = findTechnologies(shape).flatMap(({ sure, technology }) =>
      sure ? (technology.slots[0] ?? []) : [],
    )
    const isDoubt = DOUBTS.test(shape) || (technologies.length > 0 && REFUSES.test(shape))
    if ((!isDoubt && technologies.length === 0) || ELSEWHERE.test(shape)) continue
    const named = new Set([...technologies, ...findSlotWords(shape).map(({ slot }) => slot)])
    const slots = [...named].filter((slot) => !known.has(slot)).slice(0, MAX_SLOTS)
    if (slots.length === named.size || slots.length > 0)
      found.push({ kind: 'remark', span: { message, start, end }, slots, isDoubt })
  }
  return found
}

function slotsOf(candidate: Candidate): string[] {
  if (candidate.kind === 'accept') return candidate.choices.map(({ slot }) => slot)
  return 'choice' in candidate ? [candidate.choice.slot] : 'slot' in candidate ? [candidate.slot] : []
}
