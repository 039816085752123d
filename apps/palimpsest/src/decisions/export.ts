import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { toMarkdown } from '@palimpsest/decisions'
import { printJson, printLines, writePart } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { openOutputs } from '../output-files.ts'
import { replaceFile } from '../replace-file.ts'
import { withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { chooseScope, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'

export interface ExportFlags extends ScopeFlags {
  readonly out?: string
  /** Replace a file that is there. */
  readonly force?: boolean
}

/** `palimpsest decisions export`: the decisions of a project or session as a Markdown document. */
export async function exportMarkdown(flags: ExportFlags): Promise<number> {
  if (flags.json && flags.out === undefined)
    throw new UsageError('the export itself is Markdown: use --json with --out <file>, for the result')
  return withStore(flags, 'read', async (opened) => {
    const [output] = await openOutputs({ '--out': flags.out }, [opened.place.name])
    if (output?.isRegular && !flags.force && existsSync(output.path))
      throw new UsageError(`--out: ${output.path} is there already; --force replaces it`)
    const scope = await chooseScope(opened, flags)
    const ledger = await readLedger(opened, [scope])
    const session = scope.startsWith('session:') ? scope.slice('session:'.length) : ''
    const text = toMarkdown(ledger, {
      title: `Decisions of ${printable(scope.replace(/^\w+:/, ''))}`,
      session,
    })
    if (output === undefined) {
      await writePart(process.stdout, text)
      return 0
    }
    await (output.isRegular ? replaceFile(output.path, text) : writeFile(output.path, text))
    if (flags.json) printJson({ file: output.path, scope, decisions: ledger.all.length })
    else printLines(`${output.path}: the decisions of ${printable(scope)}`)
    return 0
  })
}
