import type { TechnologyMention } from '../slots/find-technologies.ts'
import { findSlotWords, type SlotMention } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'

/** Slots that the same thing can fill: "SQLite for caching" is a cache, "Redis for the dashboard" is not a frontend. */
const KINDS: readonly (readonly string[])[] = [
  ['cache', 'datastore', 'session-store', 'search', 'vector-store', 'queue', 'file-storage'],
  ['linter', 'formatter', 'type-checker'],
  ['test-runner', 'e2e-tests', 'test-library'],
  ['web-framework', 'frontend', 'rendering'],
  ['frontend', 'mobile', 'desktop'],
  ['serialization', 'config-format', 'api-style', 'logging', 'documentation'],
  [
    'hosting',
    'ci',
    'containers',
    'orchestration',
    'cdn',
    'web-server',
    'infrastructure-as-code',
    'deployment',
    'file-storage',
  ],
  ['logging', 'monitoring', 'analytics'],
  ['api-style', 'realtime', 'queue'],
  ['styling', 'component-library'],
  ['build-tool', 'monorepo', 'package-manager', 'runtime'],
  ['auth', 'authorization', 'session-store'],
  ['orm', 'migrations', 'datastore'],
  ['versioning', 'commit-style', 'merge-strategy', 'branching'],
  ['state-management', 'http-client', 'realtime'],
  ['code-hosting', 'issue-tracker', 'version-control', 'ci', 'documentation'],
  ['encryption', 'password-hashing'],
  ['email', 'sms', 'chat'],
]

/** Where a technology goes: its slot, and the part of the project. */
export interface Place {
  readonly slot: string
  readonly area: string
}

const PURPOSE =
  /(?<!\p{L})(?:for|as|to|in|on|at|across|inside|within|throughout|behind|über|für|als|pour|comme|para|como|для|в качестве|в)\s+/iu

/**
 * The slot and the area of a technology by the words around it. `tail` follows it, `lead` stands between the verb and it,
 * `shape` is the whole clause. Undefined when it is only a means to something that is done once ("use npm to install it").
 */
export function placeOf(
  { technology }: TechnologyMention,
  tail: string,
  lead: string,
  shape: string,
): Place | undefined {
  const first = technology.slots[0] ?? ''
  const cut = tail.search(/[,;.:!?)（(]|\b(?:instead|rather|over|not|and then|but|like|unless)\b/i)
  const said = (cut === -1 ? tail : tail.slice(0, cut)).replace(
    /\s+(?:and|plus|&|\+|with|y|e|und|et|и)\s*$/i,
    '',
  )
  const purpose = said.slice(Math.max(0, said.search(PURPOSE)))
  const toDo = /^\s*to\s+(\w+)/.exec(purpose)
  const opening =
    /^\s*(?:for|as|on(?! second)|in|regarding|concerning|für|pour|para|для)\s+([^,:]{2,60})[,:]/i.exec(
      shape,
    )?.[1] ?? ''
  const near = findSlotWords(`${said} ; ${lead}`)
  const opened = findSlotWords(opening)
  const isPart = !/\b(?:i|we|you|i'd|i'll|we'd|we'll)\b/i.test(opening)
  const slot = pick(near, technology.slots, first) ?? pick(opened, technology.slots, first) ?? first
  if (toDo !== null && slot === first && near.length === 0 && !LASTING.test(toDo[1] ?? '')) return undefined
  const area =
    areaOf(PURPOSE.test(said) ? purpose : '', slot, technology.slots) ||
    areaOf(opening === '' || !isPart ? '' : `for ${opening}`, slot)
  return { slot, area }
}

/** What a system does all the time, against what is done once. */
const LASTING =
  /^(?:store|cache|manage|handle|render|style|deploy|host|build|bundle|test|lint|format|log|monitor|validate|authenticate|serve|queue|search|persist|keep|hold|run|write|track|sign|encrypt|hash|send|process|generate|secure|power|back|call|fetch|parse|name|separate|indent)/i

/** The first word for a slot that the technology can fill. */
function pick(words: readonly SlotMention[], slots: readonly string[], first: string): string | undefined {
  const own = words.find(({ slot }) => slots.includes(slot))
  return own?.slot ?? words.find(({ slot }) => areAlike(slot, first))?.slot
}

export function areAlike(a: string, b: string): boolean {
  return KINDS.some((kind) => kind.includes(a) && kind.includes(b))
}
