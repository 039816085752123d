import { type ContextEngine, errorText, type Message } from '@palimpsest/core'
import type { ContractTarget } from '../contract-target.ts'
import { argumentsOf, fittingArguments } from './tool-arguments.ts'

const RECALLED = 40

/**
 * An engine's knowledge as a reader can find it out: answers of tools, and recalled messages. Tools without required
 * arguments may report the current moment, so they are not called.
 */
export async function lookUp(
  engine: ContextEngine,
  { recall }: ContractTarget,
  transcript: readonly Message[],
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const schema of engine.toolSchemas()) {
    const tool = argumentsOf(schema)
    const { name } = schema.function
    if (tool.required.length === 0) continue
    const ask = () => engine.handleToolCall(name, fittingArguments(tool))
    // A tool that writes reports so the first time; later it reports the state.
    await ask()
    found[name] = await ask()
  }
  if (recall === undefined) return found
  const step = Math.ceil(transcript.length / RECALLED)
  for (const [at, message] of transcript.entries()) {
    if (at % step !== 0 && at < transcript.length - RECALLED / 2) continue
    found[`message ${at}`] = await recall(engine, message, at).catch(
      (error: unknown) => `it cannot be recalled: ${errorText(error)}`,
    )
  }
  return found
}

export async function askEach(engine: ContextEngine): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const schema of engine.toolSchemas()) {
    const { name } = schema.function
    answers[name] = await engine.handleToolCall(name, fittingArguments(argumentsOf(schema)))
  }
  return answers
}
