import { dirname } from 'node:path'
import { abortable } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { makeFolder } from '../../make-folder.ts'
import { replaceFile } from '../../replace-file.ts'
import type { Confirm, Confirmation } from '../chat-agent.ts'
import { fileText } from './text-file.ts'
import { type ChatTool, defineTool, fileFault, ToolFault } from './tool.ts'
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

const DESCRIPTION =
  'Writes a text file in the workspace: a new one, with the folders that it needs, or in place of all that is in it. ' +
  'The user is asked first. To change a part of a file use edit_file.'

const schema = z.object({
  path: z.string().min(1).describe('the file, relative to the workspace'),
  content: z.string().describe('all that shall be in it'),
})

export function createWriteFile(workspace: Workspace, consent: AskConsent): ChatTool {
  return defineTool({
    name: 'write_file',
    description: DESCRIPTION,
    schema,
    summary: ({ path }) => path,
    async run({ path, content }, signal) {
      const place = await workspace.locate(path)
      if (place.shown === '.') throw new ToolFault('name the file to write, not the workspace itself')
      const before = place.exists ? await fileText(place) : null
      if (before === content) return `${place.shown} has this content already`
      await changeFile(workspace, { kind: 'write', place, before, after: content }, consent, signal)
      return `${place.shown} was ${before === null ? 'created' : 'replaced'}`
    },
  })
}

/** Asks a person unless they have said `always`. @throws ToolFault when they say no. */
export type AskConsent = (question: Confirmation, signal: AbortSignal) => Promise<void>

interface Consenting {
  readonly ask: AskConsent
  /** The time that people took to answer, all questions together, in milliseconds. */
  readonly waited: number
}

/** Remembers what a person said `always` to: a kind of change, or one command. */
export function createConsenting(confirm: Confirm): Consenting {
  const always = new Set<string>()
  let waited = 0
  return {
    async ask(question, signal) {
      const { kind, subject } = question
      const key = kind === 'run' ? `run ${subject}` : kind
      if (always.has(key)) return
      const start = performance.now()
      const consent = await abortable(confirm(question, signal), signal).finally(() => {
        waited += performance.now() - start
      })
      if (consent === 'always') always.add(key)
      if (consent !== 'no') return
      throw new ToolFault(
        'the user said no to this; nothing was done. Ask what they want instead of trying it another way',
      )
    },
    get waited() {
      return waited
    },
  }
}
