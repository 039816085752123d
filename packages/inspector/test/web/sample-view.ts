import type { SessionView, ViewMessage, ViewRequest } from '../../src/view/session-view.ts'

/** A message of the transcript at this place. */
export const said = (seq: number, more: Partial<ViewMessage> = {}): ViewMessage => ({
  role: seq % 2 === 0 ? 'user' : 'assistant',
  kind: 'message',
  text: `message ${seq}`,
  tokens: 10,
  seq,
  ...more,
})

/** A request that goes on from the one before. */
export const asked = (
  kept: number,
  added: readonly number[],
  more: Partial<ViewRequest> = {},
): ViewRequest => ({
  transcript: 0,
  kept,
  added,
  tokens: { tools: 0, system: 0, decisions: 0, summaries: 0, head: 0, tail: 10 * (kept + added.length) },
  without: 100,
  cache: null,
  ...more,
})

/** A session with nothing in it but what is given. */
export const sampleView = (more: Partial<SessionView> = {}): SessionView => ({
  format: 1,
  id: 'sample',
  title: 'sample',
  source: 'service',
  engine: 'lcm',
  model: null,
  window: 1000,
  threshold: 500,
  startedAt: null,
  isLive: true,
  messages: [],
  requests: [],
  compactions: [],
  summaryNodes: [],
  decisions: null,
  bill: null,
  warnings: [],
  ...more,
})
