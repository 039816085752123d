import type { SlotNames } from './slot-names.ts'

/** What is written, and what runs, builds and checks it. */
export const LANGUAGE_NAMES: SlotNames = {
  language: `TypeScript = ts; JavaScript = js, ecmascript; Python = python3, питон; Rust; Go = golang; Java; Kotlin; Scala; Swift;
    Objective-C; Ruby; PHP; C#; C++ = cpp; F#; Elixir; Erlang; Haskell; OCaml; Clojure; ClojureScript; Dart; Lua; Perl; Julia; Zig; Nim;
    Crystal; Gleam; ReasonML; ReScript; PureScript; Solidity; Groovy; COBOL; Fortran; Ada; Bash; PowerShell; VB.NET = visual basic;
    AssemblyScript; CoffeeScript; MATLAB; Racket; Scheme; Common Lisp; Prolog; Odin; Mojo; plain C = ansi c, c99, c11; GDScript; GLSL; HLSL; WGSL; Verilog; SystemVerilog; VHDL; MicroPython; CircuitPython; Visual Basic; Apex;
    Delphi; Pascal; Smalltalk; Vala; Hack; Raku; Tcl; Ballerina; Roc; Elvish; Nushell; awk; plain SQL; SAS; Stata; LabVIEW; AppleScript; Luau; C; R`,
  runtime: `Node.js = node, nodejs; Deno; Bun; JVM; GraalVM; .NET = dotnet, .net core; CPython; PyPy; Cloudflare Workers = workers;
    WebAssembly = wasm; Wasmtime; BEAM; Hermes`,
  'module-system': `ESM = esm only, esm-only, es modules, esmodules, ecmascript modules; CommonJS = cjs, common js; UMD`,
  'package-manager': `npm; pnpm; Yarn = yarn berry, yarn classic; Bun = bun install; pip; Poetry; uv; Pipenv; Conda = miniconda, anaconda;
    Mamba; PDM; Rye; Hatch; Cargo; Composer; Bundler; NuGet; CocoaPods; Swift Package Manager = spm; Homebrew = brew; Hex; vcpkg;
    Conan; Nix; pipx; apt; Carthage; LuaRocks; opam; sbt; Leiningen; Mise; asdf; Volta; nvm`,
  'build-tool': `Vite; Webpack; Rollup; esbuild; Parcel; Rspack; Turbopack; tsup; tsdown; Rolldown; SWC; Babel; Snowpack; Browserify; Gulp; Grunt;
    Metro; microbundle; unbuild; ncc; Make = makefile, makefiles, gnu make; CMake; Meson; Ninja; Bazel; Buck2 = buck; Gradle; Maven; Ant;
    Just = justfile; Task = taskfile; Rake; MSBuild; SCons; Invoke; Mage; Earthly; tsc; Bun bundler; setuptools; hatchling; Cake`,
  monorepo: `Nx; Turborepo = turbo; Lerna; pnpm workspaces = pnpm workspace; npm workspaces; yarn workspaces; Rush = rushjs; Moon = moonrepo;
    Bit; Changesets; cargo workspace; monorepo = mono-repo, mono repo; polyrepo = multi-repo, multirepo, separate repos`,
  'test-runner': `Vitest; Jest; Mocha; AVA; Tape; Jasmine; node:test = node test runner, node's test runner; QUnit; Karma; pytest = py.test;
    unittest; nose2; RSpec; Minitest; JUnit = junit 5, junit5; TestNG; Spock; Kotest; NUnit; xUnit = xunit.net; MSTest; PHPUnit; Pest; ExUnit;
    GoogleTest = gtest, google test; Catch2; doctest; testify; Ginkgo; Unity Test Framework; Ceedling; testthat; Busted; Boost.Test; Criterion; CppUTest; QtTest; flutter_test; cargo test; nextest = cargo-nextest; XCTest; Quick; ScalaTest; Bun test;
    uvu; tap; HSpec; Tox; go test; Bats; Nox`,
  'e2e-tests': `Playwright; Cypress; Selenium; Puppeteer; WebdriverIO; TestCafe; Nightwatch; Detox; Appium; Maestro; Capybara; Protractor;
    Robot Framework; Cucumber = gherkin; Laravel Dusk`,
  'test-library': `Testing Library = react testing library, rtl; Enzyme; Sinon; Chai; fast-check; Hypothesis; MSW = mock service worker; nock;
    Mockito; MockK; factory_boy; FactoryBot; Testcontainers; Supertest; WireMock; VCR; Faker; Pact; QuickCheck; proptest; k6; Locust;
    JMeter; Gatling; Artillery; moto; LocalStack; Stryker`,
  linter: `ESLint; Biome = biomejs; TSLint; Oxlint = oxc; StandardJS; XO; Ruff; Flake8; Pylint; pycodestyle; golangci-lint; Clippy; RuboCop;
    StandardRB; ktlint; Detekt; SwiftLint; PHP_CodeSniffer = phpcs; PHPStan; Psalm; Checkstyle; PMD; SpotBugs; Credo; stylelint; ShellCheck;
    hadolint; clang-tidy; SonarQube = sonar; Semgrep; CodeQL; tflint; Bandit; yamllint; markdownlint; jscpd; knip`,
  formatter: `Prettier; dprint; Black; isort; autopep8; yapf; gofmt; goimports; gofumpt; rustfmt; clang-format; google-java-format; Spotless; Biome;
    Ruff; shfmt; swift-format; php-cs-fixer = php cs fixer; Laravel Pint = pint; StandardRB; mix format; Palantir format; scalafmt; ormolu; taplo`,
  'type-checker': `mypy; Pyright; Pyre; Flow; Sorbet; Dialyzer; basedpyright; Pyrefly; JSDoc types = jsdoc; strict mode = strict typescript`,
  'git-hooks': `Husky; lefthook; pre-commit; lint-staged; commitlint; simple-git-hooks; overcommit`,
  'cli-library': `commander = commander.js; yargs; oclif; clipanion; citty; cac; argparse; Click; Typer; Cobra; clap; Thor; picocli; urfave/cli; Ink;
    Bubble Tea; Rich; Textual; meow; Inquirer = inquirer.js; Clack; Optparse; docopt; Symfony Console`,
  'data-library': `pandas; Polars; NumPy; Dask; Spark = apache spark, pyspark; Flink = apache flink; Ray; dbt; Beam = apache beam; PyArrow; Vaex; Modin;
    Hadoop; Hive; Fivetran; Airbyte; Great Expectations; tidyverse; dplyr; xarray; geopandas; SciPy; statsmodels; data.table; Snakemake; Nextflow; Luigi; Kedro; Apache NiFi = nifi; Sqoop;
    Ibis; cuDF; Pandera; DataFusion; Delta Lake; Iceberg = apache iceberg; Hudi; Glue = aws glue; Debezium; Kafka Connect`,
  'ml-framework': `PyTorch = torch; TensorFlow; Keras; JAX; scikit-learn = sklearn; XGBoost; LightGBM; CatBoost; Hugging Face Transformers =
    transformers, hugging face; ONNX; MLflow; wandb = weights and biases; LangChain; LlamaIndex; llama.cpp; vLLM; Ollama; spaCy; NLTK;
    Lightning = pytorch lightning; fastai; DSPy; TensorRT; MLX; Optuna; DVC; Hydra; PyMC; Stan; Comet; Neptune; ClearML; Kubeflow; SageMaker; Sentence Transformers; timm; YOLO; Gymnasium; RLlib;
    Core ML; TFLite = tensorflow lite; caret; H2O; AutoGluon; Flax; Accelerate; DeepSpeed; Metaflow`,
  'model-provider': `OpenAI; Anthropic; Gemini = google gemini; Claude; Mistral; Cohere; Bedrock = amazon bedrock; Vertex AI; Azure OpenAI; Groq;
    OpenRouter; Together AI; Llama; DeepSeek; Qwen; Replicate; Whisper; ElevenLabs`,
  library: `lodash; Ramda; date-fns; Moment.js = moment; Day.js = dayjs; Luxon; Temporal API; Immer; Immutable.js; Underscore; Arrow; Pendulum;
    Lombok; Guava; Jackson; Gson; Boost; Abseil; Tokio; async-std; rayon; Effect = effect-ts; fp-ts; Sharp; Pillow; OpenCV; FFmpeg; nodemailer;
    uuid; nanoid; Cheerio; Beautiful Soup = beautifulsoup, bs4; Scrapy; Dagger; Hilt; Koin; Guice; inversify; tsyringe; Awilix; anyhow; thiserror`,
}
