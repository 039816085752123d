import type { SessionView, TokenKind, ViewRequest } from '../../../src/view/session-view.ts'
import { formatShort } from '../format.ts'

export const KINDS: readonly TokenKind[] = ['tools', 'system', 'decisions', 'summaries', 'head', 'tail']

export const promptTokens = ({ tokens }: Pick<ViewRequest, 'tokens'>): number =>
  KINDS.reduce((sum, kind) => sum + tokens[kind], 0)

/** Keeps the last of several messages at one place. */
export function saidIn(messages: SessionView['messages']) {
  const whole = messages.filter(({ seq, kind }) => seq !== null && kind !== 'shortened')
  const now = new Map(whole.map(({ seq, tokens }) => [seq, tokens]))
  return { said: now.size, tokens: [...now.values()].reduce((sum, size) => sum + size, 0) }
}

/** The provider's tokens per token of ours, over all reported requests; 1 without reports. */
function providerFactor(requests: readonly ViewRequest[]): number {
  let [reported, counted] = [0, 0]
  for (const request of requests) {
    if (request.reported === undefined || request.reported <= 0) continue
    reported += request.reported
    counted += promptTokens(request)
  }
  return counted === 0 ? 1 : reported / counted
}

export const largestPrompt = (requests: readonly ViewRequest[]): number =>
  requests.reduce((most, request) => Math.max(most, promptTokens(request)), 0)

/** A limit above this many times the largest prompt is not drawn, because the prompts would become invisible. */
const FARTHEST = 3

/** A smaller difference may come from the engine's tools, which not every count includes. */
const SAME = 0.05

/** The window and the threshold, scaled to our counts, because the engine decides by the provider's. */
export function limitsOf({ threshold, window, requests }: SessionView) {
  const counted = providerFactor(requests)
  const [factor, note] = Math.abs(counted - 1) < SAME ? [1, ''] : [counted, " by the provider's count"]
  const farthest = Math.max(largestPrompt(requests), 1) * FARTHEST
  return [
    { name: 'window', tokens: window },
    { name: 'compacts from', tokens: threshold },
  ]
    .map(({ name, tokens }) => ({ label: `${name} ${formatShort(tokens)}${note}`, at: tokens / factor }))
    .filter(({ at }) => at > 0 && at <= farthest)
}
