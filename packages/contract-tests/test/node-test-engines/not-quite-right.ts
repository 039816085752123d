import type { ContractTarget } from '../../src/index.ts'
import { referenceTarget } from '../reference-target.ts'

/** An engine of which one case fails and some are left out. */
export const notQuiteRight: ContractTarget = {
  ...referenceTarget,
  name: 'reference, not quite right',
  create: (host) =>
    Object.create(referenceTarget.create(host), {
      apiVersion: { value: 2 },
      capabilities: { value: ['summarizer', 'tools'] },
    }),
  expectCapabilities: ['summarizer', 'tools'],
  skip: { C10: 'left out here' },
  propertyRuns: 2,
}
