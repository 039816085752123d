import { isObject, type Loose, looseOf } from '@palimpsest/core/provider'
import { responseHeaders } from '../http/forwarded-headers.ts'
import { parseJson } from '../parse-json.ts'
import { sumUsage } from './sum-usage.ts'
import type { Turn } from './turn.ts'

/** An answer in one piece. What the upstream refuses, and what is no answer, is passed on as it came. */
export async function answerWhole(turn: Turn): Promise<Response> {
  const usages: Loose[] = []
  for (let round = 0; ; round++) {
    const response = await turn.send()
    const headers = responseHeaders(response.headers)
    const text = await response.text()
    const completion = looseOf(parseJson(text))
    const message = response.ok ? messageOf(completion) : undefined
    if (message === undefined) return new Response(text, { status: response.status, headers })
    const usage = isObject(completion.usage) ? completion.usage : undefined
    if (usage !== undefined) usages.push(usage)
    if (await turn.take(message, usage)) continue
    await turn.finish()
    // Nothing was hidden from the client: it gets the upstream's own bytes.
    const isPlain = round === 0 && !hidesCalls(message, turn)
    return new Response(isPlain ? text : JSON.stringify(visibleOf(completion, message, turn, usages)), {
      status: response.status,
      headers,
    })
  }
}

function messageOf({ choices }: Loose): Loose | undefined {
  const { message } = looseOf(Array.isArray(choices) ? choices[0] : undefined)
  return isObject(message) ? message : undefined
}

function hidesCalls(message: Loose, { visible }: Turn): boolean {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.length : 0
  return calls !== (visible.tool_calls?.length ?? 0)
}

function visibleOf(completion: Loose, message: Loose, { visible }: Turn, usages: readonly Loose[]): Loose {
  const { tool_calls: _, ...rest } = message
  const { content, tool_calls: calls } = visible
  const shown = { ...rest, content, ...(calls !== undefined && { tool_calls: calls }) }
  const [first, ...others] = Array.isArray(completion.choices) ? completion.choices : []
  const usage = sumUsage(usages)
  return {
    ...completion,
    choices: [{ ...looseOf(first), message: shown }, ...others],
    ...(usage !== undefined && { usage }),
  }
}
