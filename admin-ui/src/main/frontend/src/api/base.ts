/** The path that the page is served below, with a slash at both ends; the server writes it into `<base>`. */
export const basePath: string = new URL(document.baseURI).pathname.replace(/[^/]*$/, '');

/** The same as routers want it: without the slash at the end. */
export const routerBasePath: string = basePath.length > 1 ? basePath.slice(0, -1) : '/';

/** Where a path of the back end is, such as `api/session`. */
export function backEndUrl(path: string): string {
  return basePath + path;
}
