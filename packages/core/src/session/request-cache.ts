import { errorText } from '../errors/errors.ts'
import { isInstruction } from '../messages/instructions.ts'
import { copyValue, equalValues, freezeMessage } from '../messages/json-value.ts'
import { messageText } from '../messages/message-parts.ts'
import type { CachePlan, CachePlanCall, CachePlanner, Message, ToolSchema } from '../spec/v1/index.ts'
import type { WarningLog } from './session-reports.ts'
import type { PrepareOptions } from './session-types.ts'

/** A planner's failure costs only the plan, not the request. */
export function createRequestCache(planner: CachePlanner | undefined, warnings: WarningLog) {
  let tools: readonly ToolSchema[] = []

  const guarded = <T>(part: string, run: (planner: CachePlanner) => T): T | undefined => {
    try {
      return planner && run(planner)
    } catch (error) {
      const message = `the cache planner failed in ${part} and the session went on without it: ${errorText(error)}`
      warnings.say({ code: 'cache-planner-failed', message })
      return undefined
    }
  }

  return {
    setTools(next: readonly ToolSchema[]): void {
      if (planner === undefined || equalValues(next, tools)) return
      tools = next.map((tool) => freezeMessage(copyValue(tool)))
    },
    /** `system` is the system prompt of the transcript: the engine may have appended a note to it. */
    plan(
      messages: readonly Message[],
      system: Message | undefined,
      { followUp }: Pick<PrepareOptions, 'followUp'>,
    ): CachePlan | null {
      const staticSystem = staticLength(messages[0], system)
      const call: CachePlanCall = {
        messages,
        tools,
        ...(staticSystem !== undefined && { staticSystem }),
        ...(followUp !== undefined && { followUp }),
      }
      return guarded('plan', (cache) => cache.plan(call)) ?? null
    },
    isWarm: () => guarded('isWarm', (cache) => cache.isWarm()) ?? true,
    updateModel(model: string): void {
      guarded('reset', (cache) => cache.reset(model))
    },
    reset(): void {
      guarded('reset', (cache) => cache.reset())
    },
  }
}

function staticLength(sent: Message | undefined, own: Message | undefined): number | undefined {
  if (sent === undefined || own === undefined || !isInstruction(sent) || !isInstruction(own)) return undefined
  const text = messageText(own)
  const whole = messageText(sent)
  const isLonger = text !== '' && whole.length > text.length && whole.startsWith(text)
  return isLonger ? text.length : undefined
}
