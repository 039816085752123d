import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'

/** The speaker's own choice, in words that leave no doubt; what follows may be anything. */
const DECIDES =
  /(?:^|[,;:]\s*|\b(?:and|so|then|ok|okay|yes|no|please|also)[,\s]\s*)(?:(?:let's|lets|we'll|we will|i'll|i will|we|we've|i've|i) (?:just |all |now )?(?:use|go(?:ing)? with|stick(?:ing)? (?:with|to)|switch to|adopt|do|decided? (?:on|to use|to go with|for)|settled? on|chose|choose|pick(?:ed)?|want|prefer)|go with|stick with|switch to|(?:final |the )?decision(?: is)?:?|use)\s+(?<rest>\S.*)$/i
const PHRASE =
  /^(?:(?:an?|plain|simple|just)\s+)*(?<what>[\p{L}\d][\p{L}\d+#./'-]*(?:\s+(?!for\b|in\b|on\b|as\b|to\b|at\b|from\b|with\b|and\b|or\b|but\b|when\b|if\b|until\b|instead\b|not\b|rather\b|please\b|so\b|because\b|since\b|everywhere\b|only\b|then\b|here\b|there\b|now\b|over\b|by\b|of\b)[\p{L}\d][\p{L}\d+#./'-]*){0,3})\s*(?<tail>$|[.,;!].*|(?:for|in|on|as|everywhere|instead|not|rather|please|only|then|here|now|over|from now on|with)\b.*)$/iu
/** What only points at something, or is said of the work at hand. */
const POINTS =
  /^(?:the|this|that|these|those|it|them|same|my|your|his|her|their|our|existing|another|other|more|less|some|any|all|both|one|first|second|third|last|what|which|whatever|anything|something|nothing|everything|you|me|us|to|not|no|option|number|default|defaults|caution|care|common|good|best|better|whichever|here|there|as|at|in|on|up|down|ahead|back|help|please|sure|now|for|a|an|git|grep|curl|bash|sed|find|cat|ls|tool|tools|subagents?|websearch|search|web|google)\b/i
const MEANS = /^\s*(?:to|when|if|while)\s/i

/** Choices of things that no dictionary has: "let's go with stratified folds", "use a token bucket for rate limiting". */
export function readFreeChoices(clause: Clause): Finding[] {
  const rest = DECIDES.exec(clause.shape)?.groups?.rest
  const match = rest === undefined ? undefined : PHRASE.exec(rest)?.groups
  if (match === undefined) return []
  const { what = '', tail = '' } = match
  const value = what.trim()
  if (
    value.length < 3 ||
    POINTS.test(value) ||
    MEANS.test(tail) ||
    findTechnologies(value).some(({ sure }) => sure)
  )
    return []
  const purpose = /^\s*(?:for|as)\s+(?:the |our |an? )?([\p{L}\d -]{2,40})/iu.exec(tail)?.[1]?.trim() ?? ''
  const word = findSlotWords(purpose)[0]
  const head = purpose === '' ? value : purpose
  const slot = word !== undefined && word.start === 0 ? word.slot : `choice:${slug(head)}`
  return [
    asFinding(
      clause,
      {
        slot,
        value,
        area: areaOf(/\bin\s.*$/i.exec(tail)?.[0] ?? '', slot),
        start: 0,
        end: 0,
        isChange: false,
      },
      false,
    ),
  ]
}

function slug(words: string): string {
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(-3)
    .join('-')
}
