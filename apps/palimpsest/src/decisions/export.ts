import { toMarkdown } from '@palimpsest/decisions'
import { writePart } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withStore } from '../stores/with-store.ts'
import { chooseScope, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'

export async function exportMarkdown(flags: ScopeFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const scope = await chooseScope(opened, flags)
    const ledger = await readLedger(opened, [scope])
    const title = `Decisions of ${printable(scope.replace(/^\w+:/, ''))}`
    const session = scope.startsWith('session:') ? scope.slice('session:'.length) : ''
    await writePart(process.stdout, toMarkdown(ledger, { title, session }))
    return 0
  })
}
