/**
 * Names that are everyday words too: they count where they are written with their capitals, or are all that is chosen
 * ("use express"), and nowhere else.
 */
export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  `access ada adam age alpine amplitude angular annoy ant apt arrow artillery atlas aurora ava axiom bamboo bandit
  beam bit black blade blueprint bokeh boost bottle brew bull bundler bunny caffeine cake callbacks canary capacitor
  carbon cargo cents chef chi chroma clap claude clerk click cobra cocos composer conan concourse crow crystal cue
  cursors cypress dagger dart dask derby diesel doctrine dragonfly drizzle drone druid echo effect electron elm ember
  emotion envoy enzyme exceptions expo exposed express falcon fathom fetch fiber flask flow fluent flux gel
  generators git go goose got grape graphite guardian guice hapi hatch heap helm hermes hex hive honeycomb hydra
  ignite immer imperial ink invoke ionic isc jest just kestrel keyset koin lambda layered less lightning linear linux
  liquid lit llama locust looker lowercase lucia maestro mage make marimo marko matrix maven meow metric metro mit
  modal modin mojo moment monolith monolithic moon neon next ninja nomad notion oak objection observable odin oracle
  parcel passenger passport pest phoenix pickle play plug poem poetry polling prefect presto promises provider psalm
  pug pulsar puma puppet puppeteer pyramid quarto quartz quasar quick racket radix railway rake ray realm rebase
  rebasing recoil relay remix render replicate requests resend rest rich rocket room ruff rush rust rye sails scheme
  segment semicolons sentry sequel serverless sessions shelf shortcut signals sinatra sinon slack slim sonic spaces spanner
  spark sphinx spi spock spring square squash stan stencil stimulus superset swarm swift tabs tap tape task tempo
  temporal thor thrift tornado tox transformers typer underscore unicorn unity unleash vagrant vault vega vespa
  victory warp whisper windows workers zap zarr zephyr zinc`.split(/\s+/),
)
