import type { TestProject } from 'vitest/node'
import { shareValue } from '../scripts/share-value.ts'
import { startFixture } from './fixture.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of the `Fixture`, which is there as soon as everything is published. */
    readonly fixture: string
  }
}

/** The global setup of the end-to-end tests: one registry for all of them. It starts while the unit tests run. */
export default function setup(project: TestProject): () => Promise<void> {
  const started = startFixture((line) => process.stdout.write(`${line}\n`))
  // Whoever asks hears of it.
  started.catch(() => {})
  const { socket, close } = shareValue(async () => (await started).fixture)
  project.provide('fixture', socket)
  return async () => {
    close()
    await started.then(
      ({ stop }) => stop(),
      () => {},
    )
  }
}
