import { toolCallsOf } from '@palimpsest/core'
import { responseHeaders } from '../http/forwarded-headers.ts'
import { PassedOn } from '../http/gateway-fault.ts'
import type { GatewayTurn } from './turn.ts'

/**
 * An answer in one piece.
 *
 * @throws PassedOn for what the upstream refuses, and for what is no answer.
 */
export async function answerWhole(turn: GatewayTurn): Promise<Response> {
  const run = await turn.run(async (response) => {
    const { status, headers } = response
    const text = await response.text()
    const answer = turn.request.readAnswer(text)
    if (answer === undefined) throw new PassedOn(new Response(text, { status, headers }))
    return { ...answer, text, status, headers: responseHeaders(headers) }
  })
  await turn.finish(run)
  const visible = turn.visible(run)
  const { message, text, write, isEcho = false, ...init } = run.answers.at(-1) ?? run.answers[0]
  // Nothing was hidden from the client: it gets the upstream's own bytes.
  const isWhole = run.answers.length === 1 && toolCallsOf(message).length === toolCallsOf(visible).length
  const isPlain = isWhole && !isEcho
  return new Response(isPlain ? text : write(visible), init)
}
