import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import type { WholeAnswer } from '../wire-format.ts'
import { sumUsage } from './sum-usage.ts'
import { toRequestMessage } from './to-request-message.ts'

/** Undefined for what is no completion. */
export function readWholeAnswer(text: string): WholeAnswer | undefined {
  const completion = looseOf(parseJson(text))
  const [first, ...others] = Array.isArray(completion.choices) ? completion.choices : []
  const { message } = looseOf(first)
  if (!isObject(message)) return undefined
  return {
    message: toRequestMessage(message),
    usage: isObject(completion.usage) ? completion.usage : undefined,
    write({ content, tool_calls: calls }, usages) {
      const { tool_calls: _, ...rest } = message
      const shown: Loose = { ...rest, content, ...(calls !== undefined && { tool_calls: calls }) }
      const usage = sumUsage(usages)
      return JSON.stringify({
        ...completion,
        choices: [{ ...looseOf(first), message: shown }, ...others],
        ...(usage !== undefined && { usage }),
      })
    },
  }
}
