import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The installed versions of the suite and of the core that it runs on. */
export const versions: { readonly contractTests: string; readonly core: string } = {
  contractTests: require('@palimpsest/contract-tests/package.json').version,
  core: require('@palimpsest/core/package.json').version,
}
