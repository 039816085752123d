import type { ToolCall } from '@palimpsest/core'
import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import type { FileOperation, FileTouch } from './file-touch.ts'
import { patchFiles } from './patch-files.ts'
import { type PlanItem, planItems } from './plan-items.ts'
import { parseShellCommand } from './shell-command.ts'
import { readToolCall, stringMember, type ToolArguments } from './tool-arguments.ts'

/** What is kept of one tool call. */
export interface CallDigest {
  readonly id: string
  readonly tool: string
  readonly kind: 'shell' | 'file' | 'plan' | 'other'
  /** The call as a person would name it: the command, or the tool with what it was applied to. */
  readonly label: string
  /** Equal for calls that try the same thing, so that a success answers an earlier failure. */
  readonly key: string
  readonly files: readonly FileTouch[]
  readonly plan: readonly PlanItem[]
  /** True when a non-zero exit code is an answer and no failure. */
  readonly asks: boolean
}

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
const COMMAND_KEYS = ['command', 'cmd', 'script', 'commands']
const SUBJECT_KEYS = [
  'query',
  'pattern',
  'url',
  'prompt',
  'description',
  'name',
  'id',
  'input',
  'text',
  'title',
]

/** Digests a call of any agent's tool. Never throws. */
export function digestCall(call: ToolCall): { digest: CallDigest; texts: readonly string[] } {
  const args = readToolCall(call)
  const id = typeof call.id === 'string' ? call.id : ''
  const common = { id, tool: oneLine(args.name.slice(0, 60)) || 'tool', plan: [], asks: false, files: [] }
  const command = shellText(args)
  if (command !== '') {
    const { label, key, files: named, asks } = parseShellCommand(command)
    const files = named.map(onOneLine)
    return {
      digest: { ...common, kind: 'shell', label: `\`${label}\``, key: `shell ${key}`, files, asks },
      texts: args.texts,
    }
  }
  const plan = planItems(args.members)
  if (plan.length > 0)
    return {
      digest: { ...common, kind: 'plan', label: common.tool, key: common.tool, plan },
      texts: args.texts,
    }
  const files = filesOf(args).map(onOneLine)
  const [file] = files
  if (file !== undefined) {
    const label = `${common.tool} ${file.path}`
    return {
      digest: { ...common, kind: 'file', label, key: `${file.operation} ${file.path}`, files },
      texts: args.texts,
    }
  }
  const subject = oneLine(
    stringMember(args.members, ...SUBJECT_KEYS).slice(0, 200) || (args.texts[0] ?? '').slice(0, 200),
  )
  const label = subject === '' ? common.tool : `${common.tool}("${shorten(subject, 70)}")`
  return { digest: { ...common, kind: 'other', label, key: `${common.tool} ${subject}` }, texts: args.texts }
}

function onOneLine({ path, operation }: FileTouch): FileTouch {
  return { path: oneLine(path), operation }
}

function shellText({ name, members, texts }: ToolArguments): string {
  for (const key of COMMAND_KEYS) {
    const value = members[key]
    // ["bash", "-lc", "the command"] is one command; ["git", "status"] is its words.
    if (Array.isArray(value))
      return String(value[1]).startsWith('-') && value.length === 3
        ? String(value[2])
        : value.map(String).join(' ')
    if (typeof value === 'string' && value.trim() !== '' && !hasPath(members)) return value
  }
  return /^(?:bash|shell|sh|exec|terminal|run_command|execute_command|local_shell)$/i.test(name)
    ? (texts[0] ?? '')
    : ''
}

function hasPath(members: Readonly<Record<string, unknown>>): boolean {
  return stringMember(members, ...PATH_KEYS) !== ''
}

function filesOf({ name, members, texts }: ToolArguments): FileTouch[] {
  const patched = texts.flatMap((text) => (text.includes('*** Begin Patch') ? patchFiles(text) : []))
  if (patched.length > 0) return patched.slice(0, 50)
  const operation = operationOf(name, members)
  const single = stringMember(members, ...PATH_KEYS)
  const paths = [single, ...listMember(members, 'paths', 'files', 'file_paths')].filter(isFileName)
  return paths.slice(0, 50).map((path): FileTouch => ({ path: path.trim(), operation }))
}

function listMember(members: Readonly<Record<string, unknown>>, ...names: string[]): string[] {
  const lists = names.map((name) => members[name]).filter(Array.isArray)
  return lists.flat().filter((value): value is string => typeof value === 'string')
}

function isFileName(path: string): boolean {
  return path.length > 0 && path.length <= 400 && !/[\n*]/.test(path)
}

function operationOf(name: string, members: Readonly<Record<string, unknown>>): FileOperation {
  // A verb of the name's own words; "multi_edit", "NotebookEdit" and "str_replace_editor" contain one.
  const tool = typeof members.command === 'string' ? `${name} ${members.command}` : name
  if (/delete|remove|unlink/i.test(tool)) return 'deleted'
  if (/write|create|save/i.test(tool)) return 'created'
  if (/view|read|cat\b|open|get/i.test(tool)) return 'read'
  if (/edit|replace|patch|update|insert|append|modify/i.test(tool)) return 'edited'
  if (/grep|glob|search|find|list|ls/i.test(tool)) return 'searched'
  if (
    ['newText', 'new_string', 'new_str', 'edits', 'old_string', 'oldText'].some((key) =>
      Object.hasOwn(members, key),
    )
  )
    return 'edited'
  return typeof members.content === 'string' ? 'created' : 'read'
}
