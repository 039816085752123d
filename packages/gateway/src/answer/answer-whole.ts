import { type Loose, toolCallsOf } from '@palimpsest/core'
import { responseHeaders } from '../http/forwarded-headers.ts'
import type { Turn } from './turn.ts'

/** An answer in one piece. What the upstream refuses, and what is no answer, is passed on as it came. */
export async function answerWhole(turn: Turn): Promise<Response> {
  const usages: Loose[] = []
  for (let round = 0; ; round++) {
    const response = await turn.send()
    const { status } = response
    const headers = responseHeaders(response.headers)
    const text = await response.text()
    const answer = response.ok ? turn.request.readAnswer(text) : undefined
    if (answer === undefined) return new Response(text, { status, headers })
    const { message, usage } = answer
    if (usage !== undefined) usages.push(usage)
    if (await turn.take(message, usage)) continue
    await turn.finish()
    const { visible } = turn
    // Nothing was hidden from the client: it gets the upstream's own bytes.
    const isPlain = round === 0 && toolCallsOf(message).length === toolCallsOf(visible).length
    return new Response(isPlain ? text : answer.write(visible, usages), { status, headers })
  }
}
