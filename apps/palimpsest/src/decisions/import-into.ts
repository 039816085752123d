import { importDecisions } from '@palimpsest/decisions'
import { counted } from '../count.ts'
import { printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'
import { namedScope, type ScopeFlags } from './choose-scope.ts'
import { findInput, type Input } from './find-input.ts'
import type { Imported } from './imported.ts'
import { storeRecords } from './store-records.ts'
import { type OpenedStore, withStore } from './with-store.ts'

/** `palimpsest decisions import <file or folder>`: an export, or records that people wrote. */
export async function importInto(path: string, flags: ScopeFlags): Promise<number> {
  const input = await findInput(path)
  const write = planImport(input, flags)
  return withStore(flags, 'create', async (opened) => {
    const { scope, added, known, unchanged, warnings } = await write(opened)
    for (const warning of warnings) process.stderr.write(`palimpsest: ${printable(warning)}\n`)
    if (flags.json) printJson({ store: opened.place.name, scope, added, known, unchanged, warnings })
    else {
      const parts = [
        added === 0 ? 'nothing new' : counted(added, 'new event'),
        ...(known === 0 ? [] : [`${counted(known, 'event')} known`]),
        ...(unchanged === 0 ? [] : [`${counted(unchanged, 'record')} as exported`]),
      ]
      printLines(`${printable(scope)}: ${parts.join(', ')}`)
    }
    return 0
  })
}

/** Reads what is to be written, before a store is opened or made. */
function planImport(input: Input, flags: ScopeFlags): (opened: OpenedStore) => Promise<Imported> {
  const scope = namedScope(flags)
  if (input.kind === 'records') {
    if (scope === undefined)
      throw new UsageError('say where the records hold: --project <name>, or --session <id>')
    return (opened) => storeRecords(opened, input, scope)
  }
  const asItIs = importDecisions(input.text)
  // Of another scope, its sessions are not those of this store: they get names that tell where they came from.
  const isMoved = scope !== undefined && scope !== asItIs.scope
  const session = `file:${input.name}`
  const imported = isMoved ? importDecisions(input.text, { scope, session }) : asItIs
  return async ({ store, principal }) => {
    const stored = await store.events({ principal, scopes: [imported.scope] })
    const ids = new Set(stored.map(({ event }) => event.id))
    const added = imported.events.filter(({ id }) => !ids.has(id))
    if (added.length > 0) {
      const at = Date.now()
      const target = await store.session({ principal, key: session }, at)
      await target.commit({ events: added }, at)
    }
    const { scope: into, warnings } = imported
    const known = imported.events.length - added.length
    return { scope: into, added: added.length, known, unchanged: 0, warnings }
  }
}
