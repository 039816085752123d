import type { ToolCall } from '@palimpsest/core'
import { clip, oneLine } from '../text.ts'

import { readToolCall, type ToolArguments } from './tool-arguments.ts'

const PATH_KEYS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'file',
  'filename',
  'notebook_path',
  'target_file',
  'relative_path',
  'absolute_path',
]
const LIST_KEYS = ['paths', 'files', 'file_paths']
const COMMAND_KEYS = ['command', 'cmd', 'script', 'commands']
const SHELL = /^(?:bash|shell|sh|exec|terminal|run_command|execute_command|local_shell)$/i
/** Characters of what a call is about in its label. */
const MOST_OF_SUBJECT = 110

/** A call as a person would name it: the command, or the tool with the file or the text that it was applied to. */
export function callLabel(call: ToolCall): string {
  const args = readToolCall(call)
  const command = oneLine(commandOf(args).slice(0, 4 * MOST_OF_SUBJECT))
  if (command !== '') return `\`${clip(command, MOST_OF_SUBJECT)}\``
  const tool = oneLine(args.name.slice(0, 60)) || 'tool'
  const [path] = pathsOf(args)
  if (path !== undefined) return `${tool} ${oneLine(path)}`
  const subject = oneLine((args.texts[0] ?? '').slice(0, 4 * MOST_OF_SUBJECT))
  return subject === '' ? tool : `${tool}("${clip(subject, MOST_OF_SUBJECT)}")`
}

/** The shell command that a call runs, or an empty text. */
export function commandOf({ name, members, texts }: ToolArguments): string {
  for (const key of COMMAND_KEYS) {
    const value = members[key]
    // ["bash", "-lc", "the command"] is one command; ["git", "status"] is its words.
    if (Array.isArray(value))
      return String(value[1]).startsWith('-') && value.length === 3
        ? String(value[2])
        : value.map(String).join(' ')
    if (typeof value === 'string' && value.trim() !== '' && pathsOf({ members }).length === 0) return value
  }
  return SHELL.test(name) ? (texts[0] ?? '') : ''
}

/** The files that the arguments of a call name. */
export function pathsOf({ members }: Pick<ToolArguments, 'members'>): string[] {
  const own = (key: string): unknown => (Object.hasOwn(members, key) ? members[key] : undefined)
  const single = PATH_KEYS.map(own).find((value) => typeof value === 'string' && value.trim() !== '')
  return [single, ...LIST_KEYS.flatMap(own)].filter(isFileName).map((path) => path.trim())
}

function isFileName(path: unknown): path is string {
  return typeof path === 'string' && path.trim() !== '' && path.length <= 400 && !/[\n*]/.test(path)
}
