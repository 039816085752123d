import { dirname } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { makeFolder } from '../../make-folder.ts'
import { replaceFile } from '../../replace-file.ts'
import type { AskConsent } from './consent.ts'
import { fileFault } from './file-fault.ts'
import { fileText } from './file-text.ts'
import { ToolFault } from './tool-fault.ts'
import type { Place, Workspace } from './workspace.ts'

export interface FileChange {
  readonly kind: 'edit' | 'write'
  readonly place: Place
  /** Null: there was no file, or none that is text. */
  readonly before: string | null
  readonly after: string
}

/** Milliseconds for a diff, before it is shown as a whole replacement. */
const DIFF_TIME = 500

/**
 * Asks for consent with a diff, and then writes the file as a whole or not at all. What a person said yes to is what is
 * done: a file that has changed, or another place under its name, while they were reading is left alone.
 *
 * @throws ToolFault, UsageError
 */
export async function changeFile(
  workspace: Workspace,
  change: FileChange,
  consent: AskConsent,
  signal: AbortSignal,
): Promise<void> {
  const { kind, place, before, after } = change
  assertNotGit(place)
  await consent({ kind, subject: place.shown, diff: unifiedDiff(change) }, signal)
  signal.throwIfAborted()
  const now = await workspace.locate(place.shown)
  const text = now.exists ? await fileText(now) : null
  if (now.path !== place.path || text !== before)
    throw new ToolFault(`${place.shown} was changed in the meantime; read it again`)
  if (!now.exists) makeFolderOf(now)
  await replaceFile(now.path, after)
}

function makeFolderOf({ path, shown }: Place): void {
  try {
    makeFolder(dirname(path))
  } catch (error) {
    throw fileFault(shown, error)
  }
}

/** Git runs what stands in its own folder. */
function assertNotGit({ shown }: Place): void {
  if (!shown.split('/').some((name) => name.toLowerCase() === '.git')) return
  throw new ToolFault(`${shown} belongs to git and is not written; use run_command with git`)
}

function unifiedDiff({ place, before, after }: FileChange): string {
  const [from, to] = [before === null ? '/dev/null' : `a/${place.shown}`, `b/${place.shown}`]
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: DIFF_TIME }
  const diff = createTwoFilesPatch(from, to, before ?? '', after, '', '', options)
  return diff ?? `--- ${from}\n+++ ${to}\n(the whole file changes: ${after.length} characters)`
}
