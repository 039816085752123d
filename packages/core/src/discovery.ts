export { DEFAULT_ENGINE } from './config/default-engine.ts'
export { createEngineDiscovery } from './discovery/create-engine-discovery.ts'
export type * from './discovery/discovery-types.ts'
