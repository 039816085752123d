import type { TestProject } from 'vitest/node'
import { type Fixture, startFixture } from './fixture.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly fixture: Fixture
  }
}

/** The global setup of the end-to-end tests: one registry for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { fixture, stop } = await startFixture((line) => process.stdout.write(`${line}\n`))
  project.provide('fixture', fixture)
  return stop
}
