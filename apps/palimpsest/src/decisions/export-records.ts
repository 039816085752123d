import { mkdirSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { redactSecrets } from '@palimpsest/core'
import {
  type DecisionLedger,
  type DecisionSession,
  readSeal,
  type Scope,
  toMadr,
} from '@palimpsest/decisions'
import { counted } from '../count.ts'
import { printJson, printLines } from '../lcm/output.ts'
import { replaceFile } from '../replace-file.ts'
import { UsageError } from '../usage-error.ts'
import { describeWriteFault } from '../write-fault.ts'
import { chooseScope } from './choose-scope.ts'
import type { ExportFlags } from './export-flags.ts'
import { readLedger } from './read-ledger.ts'
import { recordSession } from './record-session.ts'
import { type OpenedStore, withStore } from './with-store.ts'

/** Files that a refusal names. */
const NAMED_FILES = 5

/** A file of the folder as it is. */
interface PresentFile {
  readonly fileName: string
  readonly text: string
  /** The decision that it was written for. */
  readonly decision?: string
  /** Not edited since. */
  readonly isOurs: boolean
  /** A person wrote it, and it was imported: it is the record of its decision. */
  readonly isTheSource?: boolean
}

/**
 * `palimpsest decisions export --format madr`: a file for each decision. Files of an earlier export are
 * replaced unless they were edited; anything else that is in the way is named, and nothing is written then.
 */
export async function exportRecords(flags: ExportFlags & { readonly out: string }): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const scope = await chooseScope(opened, flags)
    const ledger = await readLedger(opened, [scope])
    const folder = resolve(flags.out)
    const present: PresentFile[] = []
    for (const file of await readFolder(folder)) present.push(await withOwner(file, ledger, scope, opened))
    const records = toMadr(ledger, { all: flags.all ?? false, existing: present })
    const before = new Map(present.map((file) => [file.fileName, file]))
    const changed = records.filter(({ fileName, text }) => {
      const file = before.get(fileName)
      return file?.text !== text && file?.isTheSource !== true
    })
    const kept = changed.filter(({ fileName }) => before.get(fileName)?.isOurs === false)
    if (kept.length > 0 && !flags.force) {
      const names = kept.slice(0, NAMED_FILES).map(({ fileName }) => fileName)
      throw new UsageError(
        `${folder} has ${counted(kept.length, 'file')} that this program did not write, or that were edited (${names.join(', ')}${kept.length > names.length ? ', …' : ''}); import them first, or replace them with --force`,
      )
    }
    makeOutput(folder)
    for (const { fileName, text } of changed) await replaceFile(join(folder, fileName), text)
    const added = changed.filter(({ fileName }) => !before.has(fileName)).length
    const result = {
      written: added,
      replaced: changed.length - added,
      unchanged: records.length - changed.length,
    }
    if (flags.json) printJson({ folder, scope, records: records.length, ...result })
    else
      printLines(
        `${folder}: ${counted(records.length, 'record')} of ${scope}: ${result.written} new, ${result.replaced} replaced, ${result.unchanged} unchanged`,
      )
    return 0
  })
}

async function readFolder(folder: string): Promise<PresentFile[]> {
  const kind = await stat(folder).catch(() => undefined)
  if (kind === undefined) return []
  if (!kind.isDirectory()) throw new UsageError(`--out: ${folder} is a file; name a folder for the records`)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (fileName) => {
      const text = await readFile(join(folder, fileName), 'utf8').catch(() => '')
      const seal = readSeal(text)
      return {
        ...{ fileName, text, isOurs: seal?.isUntouched ?? false },
        ...(seal !== undefined && { decision: seal.decision }),
      }
    }),
  )
}

/** A file that a person wrote or edited, with the decision that it was imported for. */
async function withOwner(
  file: PresentFile,
  ledger: DecisionLedger,
  scope: Scope,
  { store, principal }: OpenedStore,
): Promise<PresentFile> {
  if (file.isOurs) return file
  const session = recordSession(scope, file.fileName)
  const decision = ledger.all.find(({ sources }) => sources.some((source) => source.session === session))
  if (decision === undefined) return file
  // An exported record that was edited once more since it was imported has something to say still.
  const isRead =
    file.decision === undefined || (await isKept(file.text, await store.find({ principal, key: session })))
  return isRead ? { ...file, decision: decision.id, isTheSource: true } : file
}

/** True when a record's text is the one that was imported. */
async function isKept(text: string, session: DecisionSession | null): Promise<boolean> {
  const [source] = (await session?.sources({ from: 0, to: 1 })) ?? []
  return source?.text === redactSecrets(text)
}

function makeOutput(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new UsageError(`--out: ${folder} cannot be made: ${describeWriteFault(folder, cause)}`, { cause })
  }
}
