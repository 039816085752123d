import { hasIdentifier } from '../identifiers/extract-identifiers.ts'

const RESULT =
  /\b(?:fixed|works?(?:ing)? now|now (?:works?|uses?|returns?|passes)|all (?:tests )?pass|pass(?:es|ed|ing)?|done|complet(?:e|ed)|implemented|added|updated|created|removed|deleted|renamed|committed|pushed|released|merged|verified|confirmed|resolved|succeeded|successfully)\b/i
const FINDING =
  /\b(?:root cause|because|the (?:issue|problem|bug|cause|reason|culprit|fix)|turns? out|found (?:it|the|that)|i see|caused by|due to|the error|fails?|failed|broken|missing|mismatch|conflict|means that|so that)\b/i
const NEXT =
  /\b(?:next(?: step)?s?|todo|to-do|remaining|still (?:need|have|missing|to)|left to do|follow[- ]?up|not yet|later|once (?:that|this|it)|then (?:i|we)(?:'ll| will| can)|pending|outstanding|will need|needs? to be)\b|\bals nächstes\b|\bensuite\b|\bluego\b|\bдальше\b|下一步|接下来|次に|다음/i
const INTENT =
  /^(?:(?:ok|okay|now|next|first|great|good|perfect|alright|right|sure)[,!.]?\s+)*(?:let me|let's|i'?ll|i will|i need to|i'm going to|going to|now i|time to|checking|looking|reading)\b/i
const COURTESY =
  /^(?:you'?re (?:absolutely )?right|i apologi[sz]e|sorry|great|perfect|excellent|done|good)[!.,]?$/i

/** How much a sentence of an assistant reports: results and findings high, announcements and courtesies low. */
export function reportScore(sentence: string, index: number, total: number): number {
  if (COURTESY.test(sentence)) return 0.1
  let score = 1
  if (RESULT.test(sentence)) score += 1.2
  if (FINDING.test(sentence)) score += 1.2
  if (INTENT.test(sentence)) score -= 0.9
  if (hasIdentifier(sentence)) score += 0.5
  if (/\d/.test(sentence)) score += 0.2
  if (index === 0 || index === total - 1) score += 0.3
  if (sentence.length < 25) score -= 0.5
  if (/[:：]$/.test(sentence)) score -= 1
  return score
}

/** Whether a sentence says what is left to do. */
export function isNextStep(sentence: string): boolean {
  return NEXT.test(sentence)
}

/** Whether a sentence only announces what its speaker is about to do. */
export function isIntent(sentence: string): boolean {
  return INTENT.test(sentence)
}
