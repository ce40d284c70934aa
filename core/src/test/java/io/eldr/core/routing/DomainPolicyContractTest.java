package io.eldr.core.routing;

class DomainPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.DOMAIN;
    }
}
