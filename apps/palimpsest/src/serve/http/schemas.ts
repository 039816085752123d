import { z } from '@hono/zod-openapi'
import { PURPOSES } from '../models/price-of.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'

const MAX_TEXT = 20_000_000
const MAX_CODES = 1_000

const text = () => z.string().max(MAX_TEXT)
const count = () => z.int().nonnegative()

const name = () =>
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/,
      'must be 1 to 128 letters, digits and . _ : @ / -, a letter or digit first',
    )

const session = name().default(SERVE_DEFAULTS.session).describe('The conversation. Default: "default".')

const key = () =>
  z.string().describe("The conversation's name in the store: the session, with #2 for the second.")

export const InitRequest = z
  .strictObject({
    session,
    repoName: z.string().max(1_000).optional().describe('The repository that the conversation is about.'),
  })
  .openapi('InitRequest')

export const InitResponse = z
  .object({
    ok: z.literal(true),
    session: z.string(),
    key: key(),
    repoName: z.string().nullable(),
  })
  .openapi('InitResponse')

const CodePiece = z.union(
  [text(), z.strictObject({ path: z.string().max(10_000).optional(), code: text() })],
  {
    error: 'must be a text, or an object with "code" and perhaps "path"',
  },
)

export const QueryRequest = z
  .strictObject({
    query: text()
      .refine((value) => value.trim() !== '', 'must not be empty')
      .describe('What the user says.'),
    task: text().optional().describe('What the question is part of; it is said before the query.'),
    relevantCodes: z
      .array(CodePiece)
      .max(MAX_CODES)
      .optional()
      .describe(
        'Code for the system prompt. Without it, the code of the turn before stays; an empty list takes it away.',
      ),
    session,
    requestId: name()
      .optional()
      .describe('Asked again under the same id, a request is answered from the record.'),
  })
  .openapi('QueryRequest')

const Breakdown = z
  .object({
    system: count().describe('Role, repository and code.'),
    notes: count().describe('What the engine put into the prompt: decisions, or a note.'),
    summaries: count(),
    messages: count(),
    query: count().describe('The last user message.'),
    tools: count(),
    total: count(),
  })
  .describe('What the prompt consists of, in tokens.')
  .openapi('Breakdown')

export type PromptBreakdown = z.output<typeof Breakdown>

const money = () =>
  z.number().nonnegative().nullable().describe('US dollars; null where a price is not known.')

export const QueryResponse = z
  .object({
    answer: z.string(),
    session: z.string(),
    turn: z.int().positive(),
    offline: z.boolean().describe('True when no model answered.'),
    notice: z.string().optional(),
    breakdown: Breakdown,
    usage: z
      .object({
        model: z.string(),
        requests: z.int().positive().describe('More than one when the model called tools.'),
        promptTokens: count(),
        cachedTokens: count(),
        writtenTokens: count(),
        writtenLongTokens: count(),
        completionTokens: count(),
        usd: money(),
      })
      .nullable(),
    compactions: count(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    repeated: z.literal(true).optional().describe('The stored answer to a request that was made before.'),
  })
  .openapi('QueryResponse')

export type QueryResult = z.output<typeof QueryResponse>

export const CompactRequest = z
  .strictObject({
    session,
    focus: z.string().max(10_000).optional().describe('What the summary should dwell on.'),
  })
  .openapi('CompactRequest')

export const CompactResponse = z
  .object({
    session: z.string(),
    outcome: z.enum(['compacted', 'unchanged', 'aborted', 'deferred']),
    reason: z.string(),
    tokensBefore: count(),
    tokensAfter: count(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .openapi('CompactResponse')

export const SessionQuery = z.strictObject({ session })
export const CostsQuery = z.strictObject({ session: name().optional() })
export const NoQuery = z.strictObject({})

const Said = z.object({ session: z.string(), turn: count(), role: z.string(), quote: z.string() })

const Decision = z
  .looseObject({
    id: z.string(),
    l0: z.string().describe('One line.'),
    status: z.string(),
    kind: z.enum(['choice', 'value', 'milestone', 'rule', 'fact', 'question', 'intention']),
    foundBy: z
      .enum(['model', 'agent', 'host'])
      .describe('The model that read the turns, the agent by decisions_record, or the host.'),
    turn: count().optional().describe('Where it was said first.'),
    source: Said.optional().describe('Where it was decided: up to 300 characters of what was said.'),
  })
  .openapi('Decision')

export const StateResponse = z
  .object({
    session: z.string(),
    key: key(),
    repoName: z.string().nullable(),
    turn: count(),
    compactions: count().describe('Since the conversation is in memory.'),
    engine: z.object({ name: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
    decisions: z
      .record(z.string(), z.array(Decision))
      .nullable()
      .describe('By category; null with an engine that keeps none.'),
    summary: z.string().nullable(),
    breakdown: z.union([Breakdown, z.null()]),
  })
  .openapi('State')

const tokens = {
  calls: count(),
  promptTokens: count(),
  cachedTokens: count().describe('Part of the prompt tokens that was read from a cache.'),
  writtenTokens: count().describe('Part of the prompt tokens that was written to a cache.'),
  writtenLongTokens: count().describe('Part of the written tokens that has the long lifetime.'),
  completionTokens: count(),
  reasoningTokens: count().describe('Part of the completion tokens that was spent on reasoning.'),
  usd: money(),
}

export const CostsResponse = z
  .object({
    session: z.string().nullable().describe('Null: all sessions.'),
    purposes: z.record(z.enum(PURPOSES), z.object(tokens)),
    models: z.array(z.object({ purpose: z.enum(PURPOSES), model: z.string(), ...tokens })),
    total: z.object(tokens),
    prices: z.object({ asOf: z.string(), source: z.string() }),
  })
  .openapi('Costs')

export const HealthResponse = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('Degraded: the store cannot be used.'),
    reason: z.string().optional().describe('Why it is degraded.'),
    version: z.string(),
    engine: z.string(),
    offline: z.boolean(),
    durable: z.boolean().describe('False: sessions are gone with the process.'),
    store: z
      .object({
        kind: z.string().describe('What sessions are kept in: memory, sqlite, postgres.'),
        ok: z.boolean(),
        code: z.string().optional().describe('What is wrong, such as STORE_UNAVAILABLE.'),
        milliseconds: count().describe('How long it took to answer.'),
      })
      .describe('It was asked for this answer.'),
    gateway: z.boolean().describe('Whether the routes below /v1 forward to an upstream.'),
    loaded: count().describe('Conversations in memory, those of the gateway too.'),
  })
  .openapi('Health')

export const ErrorResponse = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      path: z.string().optional().describe('Where in the request the fault is.'),
    }),
  })
  .openapi('Error')
