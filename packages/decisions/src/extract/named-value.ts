import { clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { readSettings } from './read-settings.ts'
import { readValues } from './read-values.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { settingSlot } from './setting-names.ts'

const MAKE_IT =
  /^\W*(?:(?:ok|okay|no|yes|hmm+|actually|please|then|let's|and|well|better)[,.]?\s+)*(?:make|set|bump|raise|lower|put|change|keep|increase|reduce)\s+(?:it|that|this)\s+(?:to\s+|at\s+|up to\s+|down to\s+)?(?<value>(?:an?|half an?|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)|\d[\d.,_]*(?:\s?(?:ms|s|sec\w*|min\w*|hours?|days?|weeks?|px|%|[kmg]i?b))?)(?:\s+(?<noun>[a-z]{3,20}))?/i

/** "30 seconds", "yes, but 60 s": a value and nothing else. */
const BARE_VALUE =
  /^\W*(?:(?:ok|okay|yes|yeah|sure|hmm+|let's say|say|i'd say|but|with|only|rather|at|just|maybe not,|use)[,.]?\s+)*(?<value>(?:an?|half an?|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)|\d[\d.,_]*(?:\s?(?:ms|s|sec\w*|min\w*|hours?|h|days?|weeks?|px|%|[kmg]i?b|[a-z]{3,12}))?)\s*(?:please|then|is (?:fine|enough|ok))?\s*[.!]?\s*$/i
const ASKED =
  /(?<name>(?:[\p{L}-]+\s+){0,2}(?:timeouts?|retries|attempts|limits?|ports?|sizes?|counts?|intervals?|ttl|delays?|thresholds?|workers|threads|concurrency|replicas|width|length|depth|height|rate|budget|level|quota|temperature|duration|expiry|lifetime|period|retention|seed|coverage|version|age|epochs|folds|resolution|speed|frequency|batch))\b[^.!?]*[?？]\s*$/iu

/** "make it 10": the value of the last setting that the assistant named. */
export function namedValue(sentence: Sentence, text: string): Finding[] {
  const asked = ASKED.exec(text.slice(-300).trimEnd())?.groups?.name
  const { value, noun } =
    MAKE_IT.exec(sentence.shape)?.groups ?? BARE_VALUE.exec(sentence.shape)?.groups ?? {}
  if (value === undefined) return []
  const named = sentencesOf(text.slice(-4000)).flatMap((said) =>
    clausesOf(said).flatMap((clause) => [...readValues(clause), ...readSettings(clause)]),
  )
  const wanted =
    asked === undefined
      ? ''
      : settingSlot(
          asked.replace(
            /\b(?:which|what|should|is|would|how|many|much|like|for|set|use|prefer|i|me|you|do|on)\b/gi,
            ' ',
          ),
        )
  const known = named.at(-1)?.slot ?? (wanted === '' ? undefined : `setting:${wanted}`)
  const isNoun = noun !== undefined && !/^(?:then|please|instead|for|now|from|and|but|per|max)$/i.test(noun)
  const slot = isNoun ? `setting:${noun.toLowerCase()}` : known
  if (slot === undefined) return []
  return [
    {
      kind: 'choice',
      slot,
      value: value.trim().replace(/[.,]$/, ''),
      area: '',
      start: sentence.start,
      end: sentence.end,
      isChange: true,
    },
  ]
}
