import type { StoredSession } from '@palimpsest/core'
import { createLcmTools } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'

export type ToolAnswer = Readonly<Record<string, unknown>>

export function toolRunner(session: StoredSession) {
  const tools = createLcmTools({
    open: async () => session,
    clock: { now: Date.now },
  })
  return async (name: string, args: Record<string, unknown>): Promise<ToolAnswer> => {
    const answer = JSON.parse(await tools.call(name, args)) as ToolAnswer
    if (typeof answer.error === 'string') throw new UsageError(answer.error)
    return answer
  }
}

export async function wholeAnswer(
  ask: (offset: number) => Promise<ToolAnswer>,
  join: (whole: ToolAnswer, page: ToolAnswer) => ToolAnswer,
): Promise<ToolAnswer> {
  let whole = await ask(0)
  while (typeof whole.next === 'number') {
    const page = await ask(whole.next)
    whole = { ...join(whole, page), next: page.next ?? null }
  }
  return whole
}
