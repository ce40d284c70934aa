// OpenAI's own client against two servers: the gateway, and one worker that does everything by itself. What the
// client sees of both must be the same. Prints one JSON object with what it saw; the test that runs it asserts.
//
// Usage: node conformance.mjs GATEWAY_URL MODEL WORKER_URL WORKER_MODEL SLOW_MODEL SLOW_DECODER_URL
import OpenAI from 'openai';

const [gatewayUrl, model, workerUrl, workerModel, slowModel, slowDecoderUrl] = process.argv.slice(2);
const client = (baseURL) => new OpenAI({ baseURL: baseURL + '/v1', apiKey: 'none', maxRetries: 0, timeout: 60_000 });
const gateway = client(gatewayUrl);
const worker = client(workerUrl);
const messages = [{ role: 'user', content: 'Which experts do you use for this?' }];
const prompt = 'Which experts do you use for that?';

async function collect(stream, text) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return {
    chunks: chunks.length,
    text: chunks.map((chunk) => text(chunk) ?? '').join(''),
    finish: chunks.flatMap((chunk) => chunk.choices).at(-1)?.finish_reason,
    usage: chunks.at(-1)?.usage ?? null,
  };
}

async function answers(openai, name) {
  const chat = await openai.chat.completions.create({ model: name, messages, max_tokens: 9 });
  const completion = await openai.completions.create({ model: name, prompt, max_tokens: 7 });
  return {
    chat: { text: chat.choices[0].message.content, finish: chat.choices[0].finish_reason, usage: chat.usage },
    completion: { text: completion.choices[0].text, finish: completion.choices[0].finish_reason },
    chatStream: await collect(
      await openai.chat.completions.create({
        model: name, messages, max_completion_tokens: 11, stream: true, stream_options: { include_usage: true },
      }),
      (chunk) => chunk.choices[0]?.delta.content),
    completionStream: await collect(
      await openai.completions.create({ model: name, prompt, max_tokens: 13, stream: true }),
      (chunk) => chunk.choices[0]?.text),
  };
}

async function refusal(request) {
  try {
    await request();
    return 'no error';
  } catch (error) {
    return { class: error.constructor.name, status: error.status, code: error.code, param: error.param, type: error.type };
  }
}

async function abort() {
  const stream = await gateway.completions.create({ model: slowModel, prompt, max_tokens: 3000, stream: true });
  let seen = 0;
  for await (const chunk of stream) {
    if (chunk.choices.length > 0 && ++seen === 3) stream.controller.abort();
  }
  return seen >= 3;
}

/** Until the decoder of the slow model runs so many requests. */
async function running(count) {
  for (;;) {
    const state = await (await fetch(slowDecoderUrl + '/sim/state')).json();
    if (state.running === count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function abortWhole() {
  await running(0);
  const controller = new AbortController();
  running(1).then(() => controller.abort());
  return refusal(() => gateway.completions.create(
    { model: slowModel, prompt, max_tokens: 3000 }, { signal: controller.signal }));
}

const ids = [];
for await (const served of gateway.models.list()) ids.push(served.id);

console.log(JSON.stringify({
  gateway: await answers(gateway, model),
  worker: await answers(worker, workerModel),
  models: ids,
  errors: {
    unknownModel: await refusal(() => gateway.chat.completions.create({ model: 'nobody-serves-this', messages })),
    twoAnswers: await refusal(() => gateway.chat.completions.create({ model, messages, n: 2 })),
    tooLong: await refusal(() => gateway.completions.create({ model, prompt, max_tokens: 1_000_000 })),
  },
  aborted: await abort(),
  abortedWhole: await abortWhole(),
}));
