import type { Voice } from './choice-cues.ts'
import { clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isPast, isQuestion, isReported, isUnsure } from './moods.ts'
import { readChoices } from './read-choices.ts'
import { readElsewhere, readEndElsewhere } from './read-elsewhere.ts'
import { readFragments } from './read-fragments.ts'
import { readFreeChoices } from './read-free-choices.ts'
import { readLocations } from './read-locations.ts'
import { readNames } from './read-names.ts'
import { readRule } from './read-rules.ts'
import { readSettings } from './read-settings.ts'
import { readSettingsElsewhere } from './read-settings-elsewhere.ts'
import { readStatements } from './read-statements.ts'
import { readSuggestions } from './read-suggestions.ts'
import type { Sentence } from './sentences.ts'

/** Words with which an assistant suggests or announces; everything else that it says of values is a report. */
const PROPOSES =
  /\b(?:i'?ll|i will|i'?d|i would|i can|we can|let'?s|we could|you could|suggest\w*|would be|sensible|reasonable|recommend|propose|should|shall|want me|going to|how about|would match|works? best|sensible|empfehle|schlage|propose|sugiero|propongo|sugiro|предлагаю)\b|建议|お勧め|提案|추천|제안/iu
const NARRATES = /\b(?:says?|uses|was|were|currently|right now|at the moment|describes?|has|found)\b/i

/** What one sentence decides, or proposes when an assistant says it. */
export function readSentence(sentence: Sentence, voice: Voice): Finding[] {
  if (voice === 'user' && isQuestion(sentence.shape)) return []
  if (isReported(sentence.shape)) return []
  const found: Finding[] = []
  for (const clause of clausesOf(sentence)) {
    if (isPast(clause.shape)) continue
    if (voice === 'user' && isUnsure(clause.shape)) continue
    const names = readNames(clause)
    if (names.length > 0) {
      found.push(...names)
      continue
    }
    const choices = firstOf(
      () => readChoices(clause, voice),
      () => (voice === 'assistant' && NARRATES.test(clause.shape) ? [] : readStatements(clause)),
      () => readEndElsewhere(clause),
      () => readElsewhere(clause, voice),
      () => (voice === 'assistant' ? readSuggestions(clause) : []),
    )
    choices.push(...readFragments(clause, choices))
    const settings =
      voice === 'assistant' && !PROPOSES.test(clause.shape)
        ? []
        : firstOf(
            () => readSettings(clause),
            () => readSettingsElsewhere(clause),
          )
    const places = voice === 'assistant' && !PROPOSES.test(clause.shape) ? [] : readLocations(clause)
    const free =
      voice === 'user' && choices.length + settings.length + places.length === 0
        ? readFreeChoices(clause)
        : []
    found.push(...choices, ...settings, ...places, ...free)
  }
  const firm = found.filter(({ slot }) => !slot.startsWith('choice:'))
  if (firm.length > 0 || voice !== 'user') return distinct(found)
  const rule = isPast(sentence.shape) ? undefined : readRule(sentence)
  return rule === undefined ? distinct(found) : [rule]
}

function firstOf(...readers: readonly (() => Finding[])[]): Finding[] {
  for (const read of readers) {
    const found = read()
    if (found.length > 0) return found
  }
  return []
}

function distinct(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    (finding, index) =>
      findings.findIndex(
        (other) =>
          other.kind === finding.kind &&
          other.slot === finding.slot &&
          other.area === finding.area &&
          other.value === finding.value,
      ) === index,
  )
}
