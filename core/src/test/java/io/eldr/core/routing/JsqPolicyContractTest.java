package io.eldr.core.routing;

class JsqPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.JSQ;
    }
}
