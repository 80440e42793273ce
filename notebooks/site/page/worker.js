// The worker: Go's glue, and the compiled program that the page hands over. Its name
// is a message of the page's: the module cannot be transferred before there is a worker.
'use strict';
importScripts('wasm_exec.js');
self.onmessage = async (event) => {
  if (event.data.module) {
    const go = new self.Go();
    const instance = await WebAssembly.instantiate(event.data.module, go.importObject);
    go.run(instance).then(() => self.postMessage('{"ended":true}'), (e) => self.postMessage(JSON.stringify({ ended: true, why: String(e) })));
    return;
  }
  self.tilerRequest(event.data.request);
};
