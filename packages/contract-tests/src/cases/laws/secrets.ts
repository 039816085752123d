import type { Message } from '@palimpsest/core'
import type { ContractCase } from '../../contract-case.ts'
import { hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import { createPlainHost, type PlainHost } from '../../harness/plain-host.ts'
import { withPlantedTurn } from '../../harness/planted-turn.ts'
import { createScriptedModel, PLAUSIBLE_SUMMARY, type ScriptedModel } from '../../harness/scripted-model.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'
import { writtenByEngine } from '../../harness/written-by-engine.ts'

const since = '0.1.0'

// Put together here, so that no scanner of source code takes them for real ones.
const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const KEY = `sk-proj-${'Xy7z'.repeat(10)}`
const PASSWORD = 'vK8#tRn2!qWz'
const PRIVATE_KEY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
const MEMORY_TOKEN = `glpat-${'Qw3e'.repeat(6)}`
const ANSWERED_TOKEN = `ghp_${'z9Y8'.repeat(9)}`

/** Everything that must not get out, by what it is. */
const SECRETS: ReadonlyMap<string, string> = new Map([
  ['a token in a message of the user', TOKEN],
  ['a password and a key in a tool result', PASSWORD],
  ['a key in a tool result', KEY],
  ['a private key in an answer', PRIVATE_KEY],
  ['a token in the memory context', MEMORY_TOKEN],
  ["a token in the model's answer", ANSWERED_TOKEN],
])

const PLANTED = {
  user: `Use my token ${TOKEN} for that.`,
  toolResult: `DATABASE_PASSWORD=${PASSWORD}\nOPENAI_API_KEY=${KEY}`,
  assistant: `I wrote it down:\n-----BEGIN PRIVATE KEY-----\n${PRIVATE_KEY}\n-----END PRIVATE KEY-----`,
}
const ANSWER = `${PLAUSIBLE_SUMMARY}\n- The token is ${ANSWERED_TOKEN}.`

/** Looks for secrets in what left for the model, and in what the engine wrote itself. */
function expectHidden(host: PlainHost, model: ScriptedModel | undefined): void {
  const sent = JSON.stringify(model?.calls ?? [])
  const written = writtenByEngine(host.projection, host.transcript)
  for (const [name, secret] of SECRETS) {
    if (sent.includes(secret)) throw new Error(`${name} was sent to the model`)
    const leak = written.find(({ text }) => text.includes(secret))
    if (leak !== undefined)
      throw new Error(`${name} stands in a message that the engine wrote, in the role ${leak.role}`)
  }
}

const planted = (messages: readonly Message[], place: number) => withPlantedTurn(messages, place, PLANTED)

export const secretsLaw: ContractCase = {
  id: 'L09',
  title: 'law 9: no secret is sent to a model, and none stands in what the engine writes',
  since,
  async run(harness) {
    const model = createScriptedModel([ANSWER])
    const host = createPlainHost(harness.create({ model }))
    await host.say(planted(longConversation(), 8))
    await host.mustCompact({ memoryContext: `The deploy token is ${MEMORY_TOKEN}.` })
    expectHidden(host, model)
  },
}

export const secretsProperty: ContractCase = {
  id: 'P09',
  title: 'law 9 on generated conversations',
  since,
  run: (harness) =>
    tryCompactions(harness, async (trial) => {
      const parts = hostOf(trial, ANSWER)
      const host = createPlainHost(harness.create(parts))
      await host.say(planted(messagesOf(trial), trial.place))
      await host.compact({ force: trial.force })
      expectHidden(host, parts.model as ScriptedModel | undefined)
      return host.compactions > 0
    }),
}
