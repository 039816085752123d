export {
  type ContextEnginePluginOptions,
  contextEnginePlugin,
  type OpenClawPlugin,
} from './context-engine-plugin.ts'
export { plugin as default } from './plugin.ts'
