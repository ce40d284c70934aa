// The calibration service's and the router's interfaces, as far as the pages ask.
export class Registry {
  constructor(world) {
    this.world = world;
  }

  handle({ method, path }) {
    if (method === 'GET' && path === '/api/calibration/v1/pools') {
      return { status: 200, body: this.world.pools.map(({ name }) => ({ name })) };
    }
    return { status: 404, body: { type: 'about:blank', title: 'Not found', status: 404, detail: `The mock has no ${path}.` } };
  }
}
