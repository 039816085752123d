import type { ToolCall } from '@palimpsest/core'
import { oneLine } from '../text.ts'
import { commandOf, pathsOf, readToolCall, type ToolArguments } from './tool-arguments.ts'

export type FileOperation = 'read' | 'edited' | 'created' | 'deleted' | 'searched'

export interface FileTouch {
  readonly path: string
  readonly operation: FileOperation
}

const MOST_FILES = 50
const MOST_OF_COMMAND = 4_096

export function fileTouches(call: ToolCall, args = readToolCall(call)): FileTouch[] {
  const command = commandOf(args)
  const patched = args.texts.filter((text) => text.includes('*** Begin Patch')).flatMap(patchTouches)
  const operation = operationOf(args)
  const named = command === '' ? pathsOf(args).map((path) => ({ path, operation })) : shellTouches(command)
  return (patched.length > 0 ? patched : named)
    .slice(0, MOST_FILES)
    .map((touch) => ({ ...touch, path: withSlashes(oneLine(touch.path)) }))
}

function withSlashes(path: string): string {
  return path.includes('/') ? path : path.replaceAll('\\', '/')
}

const VERBS: readonly [FileOperation, RegExp][] = [
  ['deleted', /delete|remove|unlink/i],
  ['created', /write|create|save/i],
  ['read', /view|read|cat\b|open|get/i],
  ['edited', /edit|replace|patch|update|insert|append|modify/i],
  ['searched', /grep|glob|search|find|list|ls/i],
]
const NEW_TEXT = ['newText', 'new_string', 'new_str', 'edits', 'old_string', 'oldText']

function operationOf({ name, members }: ToolArguments): FileOperation {
  const tool = typeof members.command === 'string' ? `${name} ${members.command}` : name
  const verb = VERBS.find(([, pattern]) => pattern.test(tool))
  if (verb !== undefined) return verb[0]
  if (NEW_TEXT.some((key) => Object.hasOwn(members, key))) return 'edited'
  return typeof members.content === 'string' ? 'created' : 'read'
}

function patchTouches(patch: string): FileTouch[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete|Move to)(?: File)?: (.{1,400})$/gm)].map(
    ([, verb, path = '']): FileTouch => ({
      path: path.trim(),
      operation: verb === 'Delete' ? 'deleted' : verb === 'Update' ? 'edited' : 'created',
    }),
  )
}

const SHELL_OPERATIONS: readonly [FileOperation, RegExp][] = [
  ['deleted', /^(?:git )?(?:rm|unlink) /],
  ['created', /^touch /],
  ['edited', /^(?:sed|perl) -i/],
  ['read', /^(?:cat|head|tail|less|more|nl|bat|wc|sed -n|awk|xxd|stat|file) /],
]

/** The lines of a here-document are text, not commands. */
function shellTouches(command: string): FileTouch[] {
  const text = command.slice(0, MOST_OF_COMMAND)
  const heredoc = text.search(/<<-?\s*['"]?\w/)
  const line = heredoc === -1 ? text : text.slice(0, text.indexOf('\n', heredoc) + 1 || undefined)
  const plain = line.replace(/"[^"]*"|'[^']*'/g, (quoted) => (/[;&|<>\n]/.test(quoted) ? '""' : quoted))
  return plain
    .split(/&&|\|\|?|[;\n]/)
    .flatMap((segment) => segmentTouches(segment.trim().replace(/^(?:sudo |env |\w+=\S* )+/, '')))
}

const TARGET = /(?<![\d&<])>{1,2}\s*([^\s"'&|;<>]{1,300})/g

function segmentTouches(segment: string): FileTouch[] {
  const touches = [...segment.matchAll(TARGET)]
    .map(([, path = '']): FileTouch => ({ path, operation: 'created' }))
    .filter(({ path }) => isPath(path))
  const words = segment.replace(TARGET, ' ').match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const paths = words
    .slice(1)
    .map((word) => word.replace(/^["']|["']$/g, ''))
    .filter(isPath)
  if (/^(?:git )?mv /.test(segment) || segment.startsWith('cp ')) {
    const target = paths.at(-1)
    if (paths.length < 2 || target === undefined) return touches
    const moved = segment.startsWith('cp ') ? [] : paths.slice(0, -1)
    return [
      ...moved.map((path): FileTouch => ({ path, operation: 'deleted' })),
      { path: target, operation: 'created' },
    ]
  }
  const operation = SHELL_OPERATIONS.find(([, pattern]) => pattern.test(segment))?.[0]
  if (operation === undefined || (operation === 'read' && touches.length > 0)) return touches
  return [...touches, ...paths.map((path) => ({ path, operation }))]
}

function isPath(word: string): boolean {
  return (
    word.length > 2 &&
    word.length <= 300 &&
    !/^[-+>]|[*?$(){}|<>\\=`]|^\/dev\/|^\d|\/$|:\/\//.test(word) &&
    /[/.]/.test(word) &&
    /[\p{L}\d]/u.test(word)
  )
}
