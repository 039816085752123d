import { findTechnologies } from '../slots/find-technologies.ts'
import type { Voice } from './choice-cues.ts'
import { type Clause, clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isCase, isNotMeant, isPast, isQuestion, isReported, isUnsure } from './moods.ts'
import { inPart, partOf, withoutPart } from './parts.ts'
import { readChoices } from './read-choices.ts'
import { readCondition } from './read-conditions.ts'
import { readElsewhere, readEndElsewhere } from './read-elsewhere.ts'
import { readFragments } from './read-fragments.ts'
import { readFreeChoices } from './read-free-choices.ts'
import { readKept, readLocations } from './read-locations.ts'
import { readNames } from './read-names.ts'
import { readPlacements } from './read-placements.ts'
import { readPurposes, readRoles } from './read-roles.ts'
import { readRule } from './read-rules.ts'
import { readSettings } from './read-settings.ts'
import { readSettingsElsewhere } from './read-settings-elsewhere.ts'
import { readStatements } from './read-statements.ts'
import { readStructures } from './read-structures.ts'
import { readSuggestions } from './read-suggestions.ts'
import { readTools } from './read-tools.ts'
import { readValues } from './read-values.ts'
import type { Sentence } from './sentences.ts'

/** Words with which an assistant suggests or announces; everything else that it says of values is a report. */
const PROPOSES =
  /\b(?:i'?ll|i will|i'?d|i would|i can|we can|let'?s|we could|you could|suggest\w*|would be|sensible|reasonable|recommend|propose|should|shall|want me|going to|how about|would match|works? best|sensible|empfehle|schlage|propose|sugiero|propongo|sugiro|предлагаю)\b|建议|お勧め|提案|추천|제안/iu
const NARRATES = /\b(?:says?|uses|was|were|currently|right now|at the moment|describes?|has|found)\b/i

/** What one sentence decides, or proposes when an assistant says it. */
export function readSentence(sentence: Sentence, voice: Voice): Finding[] {
  if (voice === 'user' && isQuestion(sentence.shape)) return []
  if (isReported(sentence.shape)) return []
  if (voice === 'user' && isNotMeant(sentence.shape)) return []
  const part = partOf(sentence.shape)
  const bare = { ...sentence, shape: withoutPart(sentence.shape, part), isLabelled: part?.as === 'label' }
  const found: Finding[] = []
  for (const clause of isCase(sentence.shape) ? [] : clausesOf(bare)) {
    if (isPast(clause.shape)) continue
    if (voice === 'user' && isUnsure(clause.shape)) continue
    const names = readNames(clause)
    if (names.length > 0) {
      found.push(...names)
      continue
    }
    const choices = withFronted(clause, voice)
    const settings = voice === 'assistant' && !PROPOSES.test(clause.shape) ? [] : settingsIn(clause)
    const places = voice === 'assistant' && !PROPOSES.test(clause.shape) ? [] : readLocations(clause)
    const isBare = choices.length + settings.length + places.length === 0
    const free =
      voice === 'user' && isBare
        ? firstOf(
            () => readStructures(clause),
            () => readKept(clause),
            () => readFreeChoices(clause),
          )
        : []
    found.push(...choices, ...settings, ...places, ...free)
  }
  const firm = found.filter(({ slot }) => !/^(?:choice|fact):/.test(slot))
  const placed = distinct(found.map((finding) => inPart(finding, part)))
  if (firm.length > 0 || voice !== 'user') return placed
  const rule = isPast(sentence.shape) ? undefined : (readRule(sentence) ?? readCondition(sentence))
  return rule === undefined ? placed : [rule]
}

/** "Instead of Jest we run Vitest": the old value comes first. */
const FRONTED =
  /^\W*(?:(?:ok|okay|so|and|then|now)[,\s]+)*(?:instead of|rather than|in place of|statt|anstelle von|au lieu de|en vez de|en lugar de|em vez de|ao invés de|вместо)\s+(?:the\s+|our\s+)?/iu

function withFronted(clause: Clause, voice: Voice): Finding[] {
  const lead = FRONTED.exec(clause.shape)?.[0].length
  const old = lead === undefined ? undefined : findTechnologies(clause.shape)[0]
  if (lead === undefined || old === undefined || old.start > lead) return choicesIn(clause, voice)
  const shape = ' '.repeat(old.end) + clause.shape.slice(old.end)
  const [first, ...others] = choicesIn({ ...clause, shape }, voice)
  if (first === undefined) return choicesIn(clause, voice)
  return [{ ...first, replaces: first.replaces ?? old.value, isChange: true }, ...others]
}

/** Technologies by what is said of them. A reader that comes later leaves alone what an earlier one has read. */
function choicesIn(clause: Clause, voice: Voice): Finding[] {
  const isUser = voice === 'user'
  const readers: readonly ((known: readonly Finding[]) => Finding[])[] = [
    () => readChoices(clause, voice),
    () => (!isUser && NARRATES.test(clause.shape) ? [] : readStatements(clause)),
    () => readEndElsewhere(clause),
    () => readElsewhere(clause, voice),
    (known) => (isUser || known.length > 0 ? [] : readSuggestions(clause)),
    (known) => readFragments(clause, known),
    (known) => readRoles(clause, known),
    (known) => (isUser ? readPurposes(clause, known) : []),
    (known) => (isUser ? readTools(clause, known) : []),
    (known) => (isUser ? readPlacements(clause, known) : []),
  ]
  const found: Finding[] = []
  for (const read of readers) {
    const known = [...found]
    found.push(...read(known).filter(({ value }) => !known.some((other) => isOf(other, value))))
  }
  return found
}

/** Whether a finding speaks of a value already. */
function isOf({ value, replaces, kind }: Finding, other: string): boolean {
  return value === other || replaces === other || (kind === 'end' && value === '')
}

/** By exact forms first; what those leave is read by its values. */
function settingsIn(clause: Clause): Finding[] {
  const exact = firstOf(
    () => readSettings(clause),
    () => readSettingsElsewhere(clause),
  )
  const others = readValues(clause).filter(
    ({ value }) => !exact.some((known) => known.value.includes(value) || value.includes(known.value)),
  )
  return [...exact, ...others]
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
