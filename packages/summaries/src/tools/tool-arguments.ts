import type { ToolCall } from '@palimpsest/core'

/** Characters of JSON arguments that are parsed; in longer ones, the short string members are searched for. */
const MAX_PARSED_CHARS = 512 * 1024

export interface ToolArguments {
  readonly name: string
  readonly members: Readonly<Record<string, unknown>>
  readonly texts: readonly string[]
}

export function readToolCall(call: ToolCall): ToolArguments {
  const raw = call as unknown as Record<'function' | 'custom', Record<string, unknown> | undefined>
  const body = raw.function ?? raw.custom ?? {}
  const name = typeof body.name === 'string' ? body.name : ''
  const input = body.arguments ?? body.input
  if (typeof input === 'object' && input !== null) return { name, ...fromValue(input) }
  if (typeof input !== 'string') return { name, members: {}, texts: [] }
  if (raw.custom !== undefined && raw.function === undefined) return { name, members: {}, texts: [input] }
  if (input.length > MAX_PARSED_CHARS) return { name, members: shortMembers(input), texts: [input] }
  try {
    return { name, ...fromValue(JSON.parse(input)) }
  } catch {
    return { name, members: shortMembers(input), texts: [input] }
  }
}

function fromValue(value: unknown): Pick<ToolArguments, 'members' | 'texts'> {
  const texts: string[] = []
  collectTexts(value, texts, 0)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { members: isObject ? (value as Record<string, unknown>) : {}, texts }
}

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (typeof value === 'string') texts.push(value)
  else if (typeof value === 'object' && value !== null && depth < 8)
    for (const member of Object.values(value).slice(0, 1000)) collectTexts(member, texts, depth + 1)
}

function shortMembers(json: string): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [, key = '', value = ''] of json
    .slice(0, 8192)
    .matchAll(/"(\w{1,40})"\s{0,4}:\s{0,4}"([^"\\]{1,300})"/g))
    if (key !== '__proto__') members[key] ??= value
  return members
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
const LIST_KEYS = ['paths', 'files', 'file_paths']
const COMMAND_KEYS = ['command', 'cmd', 'script', 'commands']
const SHELL = /^(?:bash|shell|sh|exec|terminal|run_command|execute_command|local_shell)$/i

export function commandOf({ name, members, texts }: ToolArguments): string {
  for (const key of COMMAND_KEYS) {
    const value = members[key]
    if (Array.isArray(value))
      return String(value[1]).startsWith('-') && value.length === 3
        ? String(value[2])
        : value.map(String).join(' ')
    if (typeof value === 'string' && value.trim() !== '' && pathsOf({ members }).length === 0) return value
  }
  return SHELL.test(name) ? (texts[0] ?? '') : ''
}

export function pathsOf({ members }: Pick<ToolArguments, 'members'>): string[] {
  const own = (key: string): unknown => (Object.hasOwn(members, key) ? members[key] : undefined)
  const single = PATH_KEYS.map(own).find((value) => typeof value === 'string' && value.trim() !== '')
  return [single, ...LIST_KEYS.flatMap(own)].filter(isFileName).map((path) => path.trim())
}

function isFileName(path: unknown): path is string {
  return typeof path === 'string' && path.trim() !== '' && path.length <= 400 && !/[\n*]/.test(path)
}
