import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { exportDecisions } from '@palimpsest/decisions'
import { counted } from '../count.ts'
import { printJson, printLines, writePart } from '../lcm/output.ts'
import { openOutputs } from '../output-files.ts'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { chooseScope } from './choose-scope.ts'
import type { ExportFlags } from './export-flags.ts'
import { exportRecords } from './export-records.ts'
import { withStore } from './with-store.ts'

/** `palimpsest decisions export`: the log of a scope as JSON, or its decisions as a folder of records. */
export async function exportScope(flags: ExportFlags): Promise<number> {
  const { format, out } = flags
  if (format === 'madr') {
    if (out === undefined) throw new UsageError('name the folder for the records: --out <folder>')
    return exportRecords({ ...flags, out })
  }
  if (flags.all) throw new UsageError('--all is for --format madr: JSON always has the whole log')
  if (flags.json && out === undefined)
    throw new UsageError('the export itself is JSON: use --json with --out <file>, for the result')
  return withStore(flags, 'read', async (opened) => {
    const { store, principal, place } = opened
    const [output] = await openOutputs({ '--out': out }, [place.name])
    if (output?.isRegular && !flags.force && existsSync(output.path))
      throw new UsageError(`--out: ${output.path} is there already; --force replaces it`)
    const scope = await chooseScope(opened, flags)
    const events = (await store.events({ principal, scopes: [scope] })).map(({ event }) => event)
    const text = exportDecisions(events, { scope })
    if (output === undefined) await writePart(process.stdout, text)
    else {
      await (output.isRegular ? replaceFile(output.path, text) : writeFile(output.path, text))
      if (flags.json) printJson({ file: output.path, scope, events: events.length })
      else printLines(`${output.path}: ${counted(events.length, 'event')} of ${scope}`)
    }
    return 0
  })
}
