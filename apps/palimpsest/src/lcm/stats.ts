import { colors } from '../colors.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { counted, printJson, printLines } from './output.ts'
import { renderFacts } from './render-facts.ts'
import { toolRunner } from './run-tool.ts'
import { withStore } from './with-store.ts'

/** `palimpsest lcm stats`: of the whole store, or of one session. */
export async function stats(flags: SessionFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { store } = opened
    if (flags.session !== undefined) {
      const session = await chooseSession(opened, flags.session)
      const facts = { session: session.key, ...(await toolRunner(session)('lcm_status', {})) }
      if (flags.json) printJson(facts)
      else printLines(...renderFacts(facts))
      return 0
    }
    const all = await store.stats()
    if (flags.json) {
      printJson({ store: store.location, kind: store.kind, ...all })
      return 0
    }
    const { sessions, messages, summaries, characters, bytes } = all
    const rows: [string, string][] = [
      ['store', `${store.location} (${store.kind})`],
      ['sessions', sessions.toLocaleString('en-US')],
      ['messages', `${messages.toLocaleString('en-US')}, ${counted(characters, 'character')} of JSON`],
      ['summaries', summaries.toLocaleString('en-US')],
    ]
    if (bytes !== undefined) {
      const ratio = characters === 0 ? '' : `, ${(bytes / characters).toFixed(2)} × the JSON`
      rows.push(['on disk', `${counted(bytes, 'byte')}${ratio}`])
    }
    printLines(...rows.map(([name, value]) => `${colors.dim(name.padEnd(9))}  ${value}`))
    return 0
  })
}
