import type { ToolName } from './tools/index.ts'

/** One call of the scripted agent, with what the script relies on: the recorder stops when the tool answers otherwise. */
export interface ScriptedCall {
  readonly tool: ToolName
  readonly args: Readonly<Record<string, unknown>>
  /** Exit code of a command, default 0. */
  readonly exitCode: number
  /** The tool must fail, as when a file is missing. Default: it must not. */
  readonly fails: boolean
  /** Texts that must stand in the output, because the agent speaks about them afterwards. */
  readonly shows: readonly string[]
}

/** One message of a person or of the agent. The results of its calls follow it in the session. */
export interface Step {
  readonly role: 'user' | 'assistant'
  readonly text: string | null
  readonly calls: readonly ScriptedCall[]
}

/** A part of the session with one subject. */
export type Episode = readonly Step[]

/** What the user writes. */
export function user(text: string): Step {
  return { role: 'user', text: prose(text), calls: [] }
}

/** What the agent answers at the end of a turn. */
export function say(text: string): Step {
  return { role: 'assistant', text: prose(text), calls: [] }
}

/** What the agent thinks, `null` for nothing, and the calls that it sends with it. They are run in their order. */
export function act(text: string | null, ...calls: ScriptedCall[]): Step {
  return { role: 'assistant', text: text === null ? null : prose(text), calls }
}

export function search(pattern: string, path?: string): ScriptedCall {
  return call('search', path === undefined ? { pattern } : { pattern, path })
}

export function read(path: string, from?: number, to?: number): ScriptedCall {
  return call('read', from === undefined ? { path } : { path, from, to })
}

export function edit(path: string, old: string, replacement: string): ScriptedCall {
  return call('edit', { path, old, new: replacement })
}

export function write(path: string, content: string): ScriptedCall {
  return call('write', { path, content })
}

/** A command, and the exit code that the story needs. */
export function run(command: string, exitCode = 0): ScriptedCall {
  return { ...call('run', { command }), exitCode, fails: exitCode !== 0 }
}

/** The output must contain these texts. */
export function shows(scripted: ScriptedCall, ...texts: string[]): ScriptedCall {
  return { ...scripted, shows: texts }
}

/** The tool must refuse the call. */
export function fails(scripted: ScriptedCall): ScriptedCall {
  return { ...scripted, fails: true }
}

/** Source text in a template literal: as written, without the line break after the opening backtick. */
export function code(parts: TemplateStringsArray): string {
  return (parts.raw[0] ?? '').replace(/^\n/, '').replace(/\\([`$])/g, '$1')
}

function call(tool: ToolName, args: ScriptedCall['args']): ScriptedCall {
  return { tool, args, exitCode: 0, fails: false, shows: [] }
}

/**
 * Takes the common indentation away and joins the lines of a paragraph or list item, as they arrive in a chat. Table
 * rows and lines that are indented by four blanks stay lines.
 */
function prose(text: string): string {
  const lines = text.replace(/^\n|\s+$/g, '').split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  return lines
    .map((line) => line.slice(Math.min(...indents)))
    .join('\n')
    .replace(/([^\n])\n {0,3}(?! |\n|\||[-*] |\d+\. )/g, '$1 ')
}
