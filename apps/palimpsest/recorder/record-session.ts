import type { Episode, ScriptedCall } from './steps.ts'
import { tools } from './tools/index.ts'
import type { ToolOutcome } from './tools/tool.ts'

interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** One line of the session, in the wire shape of OpenAI Chat Completions. */
export type SessionMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** Plays the episodes in the workspace at `root` and returns the messages, the results of the real tools included. */
export function recordSession(
  root: string,
  systemPrompt: string,
  episodes: readonly Episode[],
): SessionMessage[] {
  const messages: SessionMessage[] = [{ role: 'system', content: systemPrompt }]
  let calls = 0
  for (const { role, text, calls: scripted } of episodes.flat()) {
    if (role === 'user') {
      messages.push({ role, content: text ?? '' })
      continue
    }
    const made = scripted.map((call) => {
      calls += 1
      return { call, id: `call_${String(calls).padStart(4, '0')}` }
    })
    const toolCalls = made.map(({ call, id }) => ({
      id,
      type: 'function' as const,
      function: { name: call.tool, arguments: JSON.stringify(call.args) },
    }))
    messages.push({ role, content: text, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) })
    for (const { call, id } of made) {
      messages.push({ role: 'tool', tool_call_id: id, content: play(root, call, id) })
    }
  }
  return messages
}

/** Runs one call. Throws when the answer is not the one that the script tells about. */
function play(root: string, call: ScriptedCall, id: string): string {
  const outcome = tools[call.tool](root, call.args)
  const problem = problemOf(call, outcome)
  if (problem === undefined) return outcome.output
  throw new Error(
    `${id} ${call.tool} ${JSON.stringify(call.args).slice(0, 300)}\n${problem}\n\n${outcome.output}`,
  )
}

function problemOf(call: ScriptedCall, outcome: ToolOutcome): string | undefined {
  if (outcome.exitCode !== undefined && outcome.exitCode !== call.exitCode) {
    return `expected exit code ${call.exitCode}, got ${outcome.exitCode}`
  }
  if (outcome.failed !== call.fails) return call.fails ? 'expected a failure' : 'the tool failed'
  const missing = call.shows.filter((text) => !outcome.output.includes(text))
  return missing.length === 0 ? undefined : `the output does not show ${JSON.stringify(missing)}`
}
