export * from './bill/price-usage.ts'
export * from './bill/request-clock.ts'
export * from './cache/cache-state.ts'
export { priceBill, tierFactor } from './cache/price-bill.ts'
export { commonBlocks, type ServedRequest, serveRequest } from './cache/serve-request.ts'
export * from './detect/find-caching.ts'
export * from './layout/create-layouter.ts'
export type * from './layout/request-layout.ts'
export * from './plan/plan-request.ts'
export * from './planner/create-cache-planner.ts'
export {
  createRequestPlanner,
  type PlannerOptions,
  type RequestPlanner,
  type RequestPlannerOptions,
  type RequestPlanOptions,
} from './planner/create-planner.ts'
export type * from './pricing/cache-pricing.ts'
export * from './pricing/find-pricing.ts'
export type * from './pricing/pricing-data.ts'
export type * from './wire/ai-sdk/ai-sdk-request.ts'
export * from './wire/ai-sdk/ai-sdk-wire.ts'
export type * from './wire/anthropic/anthropic-types.ts'
export { anthropicWire } from './wire/anthropic/anthropic-wire.ts'
export * from './wire/anthropic/from-anthropic-response.ts'
export * from './wire/anthropic/to-anthropic-request.ts'
export type { CacheWire, RequestParts, RequestReader } from './wire/cache-wire.ts'
export * from './wire/openai-messages/openai-messages-wire.ts'
