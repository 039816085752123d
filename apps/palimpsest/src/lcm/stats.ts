import { listSessions, type StoreStats } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { isSecured } from '../stores/store-place.ts'
import { assertPrincipal, assertSeesAll, chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { renderFacts } from './render-facts.ts'
import { toolRunner } from './run-tool.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface StatsFlags extends SessionFlags {
  readonly allPrincipals?: boolean
}

/** `palimpsest lcm stats`: of a principal's sessions, of those of all, or of one session. */
export async function stats(flags: StatsFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { store, place } = opened
    if (flags.session !== undefined) {
      const session = await chooseSession(opened, flags.session)
      const facts = { session: session.key, ...(await toolRunner(session)('lcm_status', {})) }
      if (flags.json) printJson(facts)
      else printLines(...renderFacts(facts))
      return 0
    }
    const whole = await store.stats()
    const principal = flags.allPrincipals ? null : opened.principal
    if (principal === null) await assertSeesAll(opened)
    const all = principal === null ? whole : await ownStats(opened, whole)
    if (flags.json) printJson({ store: place.name, kind: store.kind, principal, ...all })
    else printStats(opened, principal, all)
    return 0
  })
}

/** The principal's part of the store, which counts characters and bytes as a whole. */
async function ownStats(
  opened: OpenedStore,
  whole: StoreStats,
): Promise<Omit<StoreStats, 'characters'> & Partial<StoreStats>> {
  if (whole.sessions > 0 || isSecured(opened.place)) await assertPrincipal(opened)
  let [sessions, messages, summaries] = [0, 0, 0]
  for await (const info of listSessions(opened.store, opened.principal)) {
    sessions++
    messages += info.messages
    summaries += info.summaries
  }
  const { characters, bytes } = whole
  const isWhole = sessions === whole.sessions
  return {
    sessions,
    messages,
    summaries,
    ...(isWhole && { characters }),
    ...(bytes !== undefined && { bytes }),
  }
}

function printStats(
  { store, place }: OpenedStore,
  principal: string | null,
  { sessions, messages, summaries, characters, bytes }: Omit<StoreStats, 'characters'> & Partial<StoreStats>,
): void {
  const json = characters === undefined ? '' : `, ${counted(characters, 'character')} of JSON`
  const rows: [string, string][] = [
    ['store', `${place.name} (${store.kind})`],
    ['principal', principal === null ? 'all' : printable(principal)],
    ['sessions', sessions.toLocaleString('en-US')],
    ['messages', `${messages.toLocaleString('en-US')}${json}`],
    ['summaries', summaries.toLocaleString('en-US')],
  ]
  if (bytes !== undefined) {
    const ratio = characters ? `, ${(bytes / characters).toFixed(2)} × the JSON` : ''
    rows.push([
      'on disk',
      `${counted(bytes, 'byte')}${characters === undefined ? ' for all principals' : ratio}`,
    ])
  }
  printLines(...rows.map(([name, value]) => `${colors.dim(name.padEnd(9))}  ${value}`))
}
