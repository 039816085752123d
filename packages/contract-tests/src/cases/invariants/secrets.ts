import { type Message, messageText, renderSummary } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { FAILURES, hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { assistant, callWith, longConversation, user, withPlantedTurn } from '../../harness/conversations.ts'
import { eachInput } from '../../harness/each-input.ts'
import { createPlainHost, type PlainHost } from '../../harness/plain-host.ts'
import {
  createScriptedModel,
  type ModelAnswer,
  PLAUSIBLE_SUMMARY,
  type ScriptedModel,
} from '../../harness/scripted-model.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'
import { writtenByEngine } from '../../harness/written-by-engine.ts'

// Assembled here, so that source scanners do not report them as real.
const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const KEY = `sk-proj-${'Xy7z'.repeat(10)}`
const PASSWORD = 'vK8#tRn2!qWz'
const PRIVATE_KEY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
const MEMORY_TOKEN = `glpat-${'Qw3e'.repeat(6)}`
const ANSWERED_TOKEN = `ghp_${'z9Y8'.repeat(9)}`
const tokenOf = (mark: string) => `ghp_${mark.repeat(9)}`

const SECRETS: ReadonlyMap<string, string> = new Map([
  ['a token in a message of the user', TOKEN],
  ['a token in a part of a message', tokenOf('p4Rt')],
  ['a token in the arguments of a call', tokenOf('aRg5')],
  ['a token in a path in the arguments of a call', tokenOf('pA7h')],
  ['a token in what a call gives to a tool that takes free text', tokenOf('fR33')],
  ['a token in the name of a tool result', tokenOf('n4Me')],
  ['a password and a key in a tool result', PASSWORD],
  ['a key in a tool result', KEY],
  ['a private key in an answer', PRIVATE_KEY],
  ['a token in an earlier summary', tokenOf('sUm9')],
  ['a token in the memory context', MEMORY_TOKEN],
  ['a token in the focus topic', tokenOf('f0Cu')],
  ["a token in the model's answer", ANSWERED_TOKEN],
  ['a part of a token, where a text was cut,', 'cUt7cUt7'],
])

/** Enough tokens on one line that an engine which cuts before it redacts cuts one of them in two. */
const tokensOnALine = (count: number) => Array(count).fill(tokenOf('cUt7')).join(' ')

const ARGUMENTS = {
  path: `/srv/${tokenOf('pA7h')}/ledger.ts`,
  header: `Authorization: Bearer ${tokenOf('aRg5')}`,
}
const FREE_TEXT = {
  id: 'free',
  type: 'custom',
  custom: { name: 'run', input: `push ${tokenOf('fR33')}` },
} as const

const PLANTED: readonly Message[] = [
  user(`Use my token ${TOKEN} for that.`),
  {
    ...assistant(''),
    tool_calls: [...(callWith('planted', JSON.stringify(ARGUMENTS)).tool_calls ?? []), FREE_TEXT],
  },
  {
    role: 'tool',
    tool_call_id: 'planted',
    content: `DATABASE_PASSWORD=${PASSWORD}\nOPENAI_API_KEY=${KEY}`,
    name: tokenOf('n4Me'),
  } as Message,
  { role: 'tool', tool_call_id: 'free', content: [{ type: 'text', text: `pushed as ${tokenOf('p4Rt')}` }] },
  assistant(`Revoked now: ${tokensOnALine(15)}`),
  user(`Revoke these as well, please: ${tokensOnALine(15)}`),
  assistant(`I wrote it down:\n-----BEGIN PRIVATE KEY-----\n${PRIVATE_KEY}\n-----END PRIVATE KEY-----`),
]
const HISTORY = longConversation().toSpliced(
  1,
  0,
  user(renderSummary(`The token was ${tokenOf('sUm9')}.`)),
  assistant('Let us go on.'),
)
const ANSWER = `${PLAUSIBLE_SUMMARY}\n- The token is ${ANSWERED_TOKEN}.`

function expectHidden(host: PlainHost, model: ScriptedModel | undefined): void {
  const { projection, transcript } = host
  const sent = JSON.stringify(model?.calls ?? [])
  const written = writtenByEngine(projection, transcript)
  for (const [name, secret] of SECRETS) {
    if (sent.includes(secret)) throw new Error(`${name} was sent to the model`)
    const leak =
      written.find(({ text }) => text.includes(secret)) ??
      (resultsWith(secret, transcript).length === 0 ? resultsWith(secret, projection)[0] : undefined)
    if (leak !== undefined)
      throw new Error(`${name} stands in a message that the engine wrote, in the role ${leak.role}`)
  }
}

/** A result of the projection is the engine's if none of the transcript's contains the secret. */
function resultsWith(secret: string, messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.role === 'tool' && messageText(message).includes(secret))
}

const planted = (messages: readonly Message[], place: number) => withPlantedTurn(messages, place, PLANTED)

export const secretsCases: readonly ContractCase[] = [
  contractCase(
    'L09',
    "invariant 9: no secret is sent to a model, and none is in the engine's texts",
    async (harness) => {
      const answers = { 'a model that answers': ANSWER, 'a model that is down': FAILURES['is down'] }
      await eachInput<ModelAnswer>(answers, async (answer) => {
        // The first place is in the middle, which is summarised; the second is at the end, which is kept.
        for (const place of [8, 40]) {
          const model = createScriptedModel([answer])
          const host = createPlainHost(harness.create({ model }))
          await host.say(planted(HISTORY, place))
          const compact = answer === ANSWER ? host.mustCompact : host.compact
          await compact({
            force: true,
            memoryContext: `The deploy token is ${MEMORY_TOKEN}.`,
            focusTopic: `where ${tokenOf('f0Cu')} is used`,
          })
          expectHidden(host, model)
        }
      })
    },
  ),
  contractCase('P09', 'invariant 9 on generated conversations', (harness) =>
    tryCompactions(harness, async (trial) => {
      const parts = hostOf(trial, ANSWER)
      const host = createPlainHost(harness.create(parts), parts.tokens)
      await host.say(planted(messagesOf(trial), trial.place))
      await host.compact({ force: trial.force })
      expectHidden(host, parts.model as ScriptedModel | undefined)
      return host.compactions > 0
    }),
  ),
]
