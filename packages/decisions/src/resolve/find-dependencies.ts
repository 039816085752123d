import type { CandidateChoice } from '../candidates/candidate.ts'
import type { Decision } from '../log/decision.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { refusalSlot } from '../slots/slots.ts'
import { CANDIDATE_BOUNDS } from './bounds.ts'
import { decisionsOf, indexOf } from './ledger-index.ts'
import type { ResolveContext } from './resolve-context.ts'
import { isIdentifier, nameKey, slotPrefix, valueKey } from './value-key.ts'

/** Slots whose choice rests on what another slot holds, whether a sentence says so or not. */
const RESTS_ON: Readonly<Record<string, readonly string[]>> = {
  orm: ['datastore', 'language'],
  migrations: ['datastore', 'orm'],
  schema: ['datastore'],
  driver: ['datastore'],
  'id-format': ['datastore'],
  'package-manager': ['runtime', 'language'],
  'test-runner': ['language', 'runtime'],
  'test-library': ['test-runner', 'frontend'],
  'type-checker': ['language'],
  linter: ['language'],
  formatter: ['language'],
  'web-framework': ['language', 'runtime'],
  'component-library': ['frontend'],
  'state-management': ['frontend'],
  orchestration: ['containers'],
}

/** Words of a quote that are searched for the values of other decisions. */
const MAX_WORDS = 100
/** Decisions with one value that are looked at, the newest. */
const MAX_SAME = 16

/**
 * The active decisions of other slots that a choice rests on: those whose value its words or entities name, and those of the
 * slots that its own slot is known to need, of its area or of no area; at most 8, in the order of the text.
 */
export function findDependencies(
  choice: CandidateChoice,
  quote: string,
  context: ResolveContext,
  replaced: ReadonlySet<string>,
): string[] {
  const { ledger, scope } = context
  const index = indexOf(ledger)
  const named = namesIn([quote, ...choice.entities].join(' ; ')).flatMap((name) => [
    ...index.ofValue(valueKey(name)).slice(-MAX_SAME),
    ...index.ofValue(nameKey(name)).slice(-MAX_SAME),
  ])
  const needed = (RESTS_ON[choice.slot] ?? []).flatMap((slot) => ledger.ofSlot(slot)).map(({ id }) => id)
  const counts = (decision: Decision): boolean =>
    decision.status === 'active' &&
    decision.scope === scope &&
    decision.slot !== choice.slot &&
    // A rule not to use something does not rest on it.
    refusalSlot(decision.choice) !== choice.slot &&
    !replaced.has(decision.id) &&
    slotPrefix(decision.slot) !== 'setting' &&
    (decision.area === '' || decision.area === choice.area)
  return decisionsOf([...new Set([...named, ...needed])], ledger)
    .filter(counts)
    .slice(0, CANDIDATE_BOUNDS.dependencies)
    .map(({ id }) => id)
}

/** The technologies that a text names, then what is written like an identifier in it. */
function namesIn(text: string): string[] {
  const words = text
    .split(/[\s,;()"'`“”‘’]+/)
    .map((word) => word.replace(/(?<![.:!?])[.:!?]+$/, ''))
    .slice(0, MAX_WORDS)
  const technologies = findTechnologies(text).flatMap(({ sure, value }) => (sure ? value : []))
  return [...new Set([...technologies, ...words.filter(isIdentifier)])]
}
