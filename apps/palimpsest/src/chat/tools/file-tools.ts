import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { abortable, lineAt } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { replaceFile } from '../../replace-file.ts'
import type { Confirm, Confirmation } from '../chat-agent.ts'
import { readExactText, readText } from './text-file.ts'
import { type ChatTool, defineTool, fileFault, ToolFault } from './tool.ts'
import type { Place, Workspace } from './workspace.ts'

const READ_LINES = 2_000
const LINE_CHARACTERS = 2_000
const DIFF_TIME = 500

const path = z.string().min(1).describe('the file, relative to the workspace')

export function createReadFile(workspace: Workspace, characters: number): ChatTool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads lines of a text file in the workspace. Each line is shown behind its number and a tab, which are not part of ' +
      'the file. A long file is shown in part, and the end of the result says how to see more.',
    schema: z.object({
      path,
      offset: z
        .int()
        .optional()
        .describe('number of the first line, from 1; -50 shows the last 50 lines; default 1'),
      limit: z.int().min(1).max(10_000).optional().describe('how many lines at most'),
    }),
    summary: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
    async run({ path, offset = 1, limit = READ_LINES }) {
      const place = await workspace.locate(path)
      const lines = (await readText(place)).split(/\r?\n/)
      if (lines.at(-1) === '') lines.pop()
      if (lines.length === 0) return `(${place.shown} is empty)`
      const first = offset < 0 ? Math.max(1, lines.length + 1 + offset) : Math.max(1, offset)
      if (first > lines.length) return `(${place.shown} has only ${lines.length} lines)`
      const shown: string[] = []
      let room = characters
      for (const line of lines.slice(first - 1, first - 1 + limit)) {
        const numbered = `${first + shown.length}\t${clipped(line)}`
        room -= numbered.length + 1
        if (room < 0 && shown.length > 0) break
        shown.push(numbered)
      }
      const last = first + shown.length - 1
      const ending =
        last < lines.length
          ? `lines ${first} to ${last}; the file goes on: offset ${last + 1} shows more`
          : `the ${first === 1 ? 'whole' : 'end of the'} file: ${lines.length} lines`
      return [...shown, `(${ending})`].join('\n')
    },
  })
}

function clipped(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line
  return `${line.slice(0, LINE_CHARACTERS).toWellFormed()}… (the line goes on)`
}

export function createEditFile(workspace: Workspace, consent: AskConsent): ChatTool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replaces one piece of a text file in the workspace. old_text must stand in the file exactly once, white space and all. ' +
      'The user is asked first.',
    schema: z.object({
      path,
      old_text: z.string().min(1).describe('what stands there now: whole lines, without their numbers'),
      new_text: z.string().describe('what shall stand there instead; empty takes it out'),
    }),
    summary: ({ path }) => path,
    async run({ path, old_text: oldText, new_text: newText }, signal) {
      const place = await workspace.locate(path)
      if (!place.exists) throw new ToolFault(`there is no file ${place.shown}; write_file creates it`)
      const before = await readExactText(place)
      const after = replaceOnce(before, oldText, newText, place.shown)
      await changeFile(workspace, { kind: 'edit', place, before, after }, consent, signal)
      return `${place.shown} was changed`
    },
  })
}

/** Replaces one occurrence. Line breaks are matched, because models write LF for files with CRLF. */
function replaceOnce(text: string, oldText: string, newText: string, shown: string): string {
  const usesCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const [old, replacement] = usesCrlf ? [withCrlf(oldText), withCrlf(newText)] : [oldText, newText]
  if (old === replacement)
    throw new ToolFault('old_text and new_text are the same: there is nothing to change')
  const first = text.indexOf(old)
  if (first === -1)
    throw new ToolFault(
      `old_text is not in ${shown}; read it and copy the lines exactly, white space and all`,
    )
  const second = text.indexOf(old, first + 1)
  if (second !== -1)
    throw new ToolFault(
      `old_text stands in ${shown} more than once (lines ${lineAt(text, first)} and ${lineAt(text, second)}); give more of the lines around the one you mean`,
    )
  return text.slice(0, first) + replacement + text.slice(first + old.length)
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

export function createWriteFile(workspace: Workspace, consent: AskConsent): ChatTool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a text file in the workspace: a new one, with the folders that it needs, or in place of all that is in it. ' +
      'The user is asked first. To change a part of a file use edit_file.',
    schema: z.object({ path, content: z.string().describe('all that shall be in it') }),
    summary: ({ path }) => path,
    async run({ path, content }, signal) {
      const place = await workspace.locate(path)
      if (place.shown === '.') throw new ToolFault('name the file to write, not the workspace itself')
      const before = place.exists ? await readExactText(place) : null
      if (before === content) return `${place.shown} has this content already`
      await changeFile(workspace, { kind: 'write', place, before, after: content }, consent, signal)
      return `${place.shown} was ${before === null ? 'created' : 'replaced'}`
    },
  })
}

interface FileChange {
  readonly kind: 'edit' | 'write'
  readonly place: Place
  readonly before: string | null
  readonly after: string
}

/**
 * Asks for consent with a diff and then writes the whole file or nothing. A file that changed meanwhile, or a path that
 * now leads elsewhere, is left alone.
 */
async function changeFile(
  workspace: Workspace,
  { kind, place, before, after }: FileChange,
  consent: AskConsent,
  signal: AbortSignal,
): Promise<void> {
  const { shown, path } = place
  // Git runs code from its own folder.
  if (shown.split('/').some((name) => name.toLowerCase() === '.git'))
    throw new ToolFault(`${shown} belongs to git and is not written; use run_command with git`)
  await consent({ kind, subject: shown, diff: unifiedDiff(shown, before, after) }, signal)
  signal.throwIfAborted()
  const now = await workspace.locate(shown)
  const text = now.exists ? await readExactText(now) : null
  if (now.path !== path || text !== before)
    throw new ToolFault(`${shown} was changed in the meantime; read it again`)
  try {
    if (!now.exists) mkdirSync(dirname(path), { recursive: true })
  } catch (error) {
    throw fileFault(shown, error)
  }
  await replaceFile(path, after)
}

function unifiedDiff(shown: string, before: string | null, after: string): string {
  const [from, to] = [before === null ? '/dev/null' : `a/${shown}`, `b/${shown}`]
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: DIFF_TIME }
  const diff = createTwoFilesPatch(from, to, before ?? '', after, '', '', options)
  return diff ?? `--- ${from}\n+++ ${to}\n(the whole file changes: ${after.length} characters)`
}

/** Asks unless the person has said `always`. @throws ToolFault on a refusal. */
export type AskConsent = (question: Confirmation, signal: AbortSignal) => Promise<void>

export function rememberConsent(confirm: Confirm): AskConsent {
  const always = new Set<string>()
  return async (question, signal) => {
    const { kind, subject } = question
    const key = kind === 'run' ? `run ${subject}` : kind
    if (always.has(key)) return
    const consent = await abortable(confirm(question, signal), signal)
    if (consent === 'always') always.add(key)
    if (consent !== 'no') return
    throw new ToolFault(
      'the user said no to this; nothing was done. Ask what they want instead of trying it another way',
    )
  }
}
