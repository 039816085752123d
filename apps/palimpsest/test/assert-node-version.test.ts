import { expect, it } from 'vitest'
import { assertNodeVersion } from '../src/assert-node-version.ts'

it('accepts what the packages run on and names what it needs otherwise', () => {
  for (const version of ['22.19.0', '22.23.1', '24.0.0', '26.10.0'])
    expect(() => assertNodeVersion(version)).not.toThrow()
  for (const version of ['20.20.2', '22.17.9', '18.0.0']) {
    expect(() => assertNodeVersion(version)).toThrow(
      `needs Node 22.19 or later, and this is ${version}; install a newer Node`,
    )
  }
})
