/** A plug-in of OpenClaw with another engine in the slot for context engines. */
import compressor from '@palimpsest/compressor'
import { contextEnginePlugin } from '@palimpsest/openclaw'

export default contextEnginePlugin({
  id: 'lean-context',
  name: 'Lean context',
  engine: compressor,
  options: { threshold: 0.4 },
})
